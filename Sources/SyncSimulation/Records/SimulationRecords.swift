import Sync

/// A fault setting of a simulation, as recorded in `sync`/`fault`.
public struct SyncFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  public let fault: String
  /// The amount, in the fault's unit.
  public let amount: Double
  /// The unit of the amount.
  public let unit: String
  /// The probability of the fault, from 0 to 1.
  public let probability: Double
  /// The calls that it applies to.
  public let scope: String
  /// True if it is on.
  public let on: Bool
  /// True if it was set by hand.
  public let byHand: Bool
  /// The branch of the setting.
  public let branch: Int
}

/// The caption of a scenario at a moment, as recorded in `sync`/`caption`.
public struct SyncCaption: Codable, Hashable, Sendable {
  /// The text of the caption.
  public let text: String
  /// The branch of the caption.
  public let branch: Int
}

/// The state of a simulation, recorded in `sync`/`simulation` whenever it changes.
public struct SyncSimulationRecord: Codable, Hashable, Sendable {
  /// The name of the scenario.
  public let scenario: String?
  /// The seed of all random numbers.
  public let seed: Int
  /// Number of steps taken.
  public let step: Int
  /// The branch; 0 is the main branch.
  public let branch: Int
  /// The parent branch.
  public let parent: Int?
  /// Speed of the simulation; 1 is real time.
  public let speed: Double
  /// True if it continues by itself.
  public let running: Bool
  /// The next event.
  public let next: String?
  /// Time of the next event, in seconds since 2001.
  public let nextAt: Double?
}
