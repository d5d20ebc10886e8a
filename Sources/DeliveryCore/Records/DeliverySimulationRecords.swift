/// A fault of a simulation that was set, as it is recorded in `delivery`/`fault`.
public struct DeliveryFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  public let fault: String
  /// How much of it, in its unit.
  public let amount: Double
  /// The unit of the amount.
  public let unit: String
  /// How likely it is to strike, from 0 to 1.
  public let probability: Double
  /// Which batches it strikes.
  public let scope: String
  /// True if it is on.
  public let on: Bool
  /// The branch of a simulation; 0 is the main one.
  public let branch: Int
  /// The number of the event that the client handled last.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that set it: the script, which counts as the app, or a person.
  public let by: DeliveryInitiator
}

/// A simulation whenever something about it changed, as it is recorded in `delivery`/`simulation`.
public struct DeliverySimulationState: Codable, Hashable, Sendable {
  /// The name of the scenario.
  public let scenario: String?
  /// The seed of all chance.
  public let seed: Int
  /// How many steps of the simulation were taken.
  public let step: Int
  /// The branch; 0 is the main one.
  public let branch: Int
  /// The branch that this one began in.
  public let parent: Int?
  /// How fast its time goes; 1 is as fast as ours.
  public let speed: Double
  /// True if it runs on by itself.
  public let running: Bool
  /// The next thing to happen.
  public let next: String?
  /// When that comes, in seconds since 2001.
  public let nextAt: Double?
  /// True if the app runs.
  public let alive: Bool
  /// Events that the app made so far, its own life-cycle events not among them.
  public let made: Int
  /// Different events that the endpoint has.
  public let taken: Int
  /// Events that the endpoint has got more than once.
  public let repeated: Int
  /// Events that were in memory alone when the process was killed.
  public let lost: Int
  /// The time since the start of the simulation, in seconds.
  public let engineTime: Double
}
