package import DeliveryCore

/// A fault of a simulation that was set, as it is recorded in `delivery`/`fault`.
package struct DeliveryFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  package let fault: String
  /// How much of it, in its unit.
  package let amount: Double
  /// The unit of the amount.
  package let unit: String
  /// How likely it is to strike, from 0 to 1.
  package let probability: Double
  /// Which batches it strikes.
  package let scope: String
  /// True if it is on.
  package let on: Bool
  /// The branch of a simulation; 0 is the main one.
  package let branch: Int
  /// The number of the event that the client handled last.
  package let step: Int
  /// The client's clock, in seconds.
  package let engineTime: Double
  /// The initiator that set it: the script, which counts as the app, or a person.
  package let by: DeliveryInitiator
}

/// A simulation whenever something about it changed, as it is recorded in `delivery`/`simulation`.
public struct DeliverySimulationState: Codable, Hashable, Sendable {
  /// The name of the scenario.
  package let scenario: String?
  /// The seed of all chance.
  package let seed: Int
  /// How many steps of the simulation were taken.
  package let step: Int
  /// The branch; 0 is the main one.
  package let branch: Int
  /// The branch that this one began in.
  package let parent: Int?
  /// How fast its time goes; 1 is as fast as ours.
  package let speed: Double
  /// True if it runs on by itself.
  package let running: Bool
  /// The next thing to happen.
  package let next: String?
  /// When that comes, in seconds since 2001.
  package let nextAt: Double?
  /// True if the app runs.
  package let alive: Bool
  /// Events that the app made so far, its own life-cycle events not among them.
  package let made: Int
  /// Different events that the endpoint has.
  package let taken: Int
  /// Events that the endpoint has got more than once.
  package let repeated: Int
  /// Events that were in memory alone when the process was killed.
  package let lost: Int
  /// The time since the start of the simulation, in seconds.
  package let engineTime: Double
}
