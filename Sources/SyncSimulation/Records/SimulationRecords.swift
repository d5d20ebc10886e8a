import Sync

/// A fault of a simulation that was set, as it is recorded in `sync`/`fault`.
public struct SyncFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  public let fault: String
  /// How much of it, in its unit.
  public let amount: Double
  /// The unit of the amount.
  public let unit: String
  /// How likely it is to strike, from 0 to 1.
  public let probability: Double
  /// Which calls it strikes.
  public let scope: String
  /// True if it is on.
  public let on: Bool
  /// True if a person set it.
  public let byHand: Bool
  /// The branch that it belongs to.
  public let branch: Int
}

/// The story of a scenario at a moment, as it is recorded in `sync`/`caption`.
public struct SyncCaption: Codable, Hashable, Sendable {
  /// The words of the scenario.
  public let text: String
  /// The branch that it belongs to.
  public let branch: Int
}

/// A simulation whenever something about it changed, as it is recorded in `sync`/`simulation`.
public struct SyncSimulationRecord: Codable, Hashable, Sendable {
  /// The name of the scenario.
  public let scenario: String?
  /// The seed of all chance.
  public let seed: Int
  /// How many steps were taken.
  public let step: Int
  /// The branch; 0 is the main branch.
  public let branch: Int
  /// The branch that it left.
  public let parent: Int?
  /// How fast its time goes; 1 is as fast as ours.
  public let speed: Double
  /// True if it runs on by itself.
  public let running: Bool
  /// The next thing to happen.
  public let next: String?
  /// When that comes, in seconds since 2001.
  public let nextAt: Double?
}
