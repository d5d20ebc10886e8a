package import DeliveryCore

/// A fault setting of a simulation, as recorded in `delivery`/`fault`.
package struct DeliveryFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  package let fault: String
  /// The amount, in the fault's unit.
  package let amount: Double
  /// The unit of the amount.
  package let unit: String
  /// The probability of the fault, from 0 to 1.
  package let probability: Double
  /// The batches that it applies to.
  package let scope: String
  /// True if it is on.
  package let on: Bool
  /// The branch; 0 is the main branch.
  package let branch: Int
  /// The number of the last event that the client handled.
  package let step: Int
  /// The client's clock, in seconds.
  package let engineTime: Double
  /// The initiator of the setting: the app for the script, or a person.
  package let by: DeliveryInitiator
}

/// The state of a simulation, recorded in `delivery`/`simulation` whenever it changes.
public struct DeliverySimulationState: Codable, Hashable, Sendable {
  /// The name of the scenario.
  package let scenario: String?
  /// The seed of all random numbers.
  package let seed: Int
  /// Number of steps taken.
  package let step: Int
  /// The branch; 0 is the main branch.
  package let branch: Int
  /// The parent branch.
  package let parent: Int?
  /// Speed of the simulation; 1 is real time.
  package let speed: Double
  /// True if it continues by itself.
  package let running: Bool
  /// The next event.
  package let next: String?
  /// Time of the next event, in seconds since 2001.
  package let nextAt: Double?
  /// True if the app is running.
  package let alive: Bool
  /// Number of events created by the app so far, not counting its lifecycle events.
  package let made: Int
  /// Number of distinct events accepted by the endpoint.
  package let taken: Int
  /// Number of events that the endpoint received again.
  package let repeated: Int
  /// Number of events held only in memory when the process ended.
  package let lost: Int
  /// The time since the start of the simulation, in seconds.
  package let engineTime: Double
}
