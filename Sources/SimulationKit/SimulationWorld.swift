public import MisterMetricsCore

/// An engine in the environment set up by a scenario, played by a ``SimulationSession``.
///
/// The world reports events that are due and executes them; the session decides when, how often, and in which branch.
public protocol SimulationWorld: AnyObject, SendableMetatype {
  /// The parts of a scenario other than its head and its acts.
  associatedtype Setup: ScenarioSetup
  /// An act of the script or by hand.
  associatedtype Act: DrivenAct
  /// An event that is due.
  associatedtype Upcoming: SimulationEvent
  /// The state of the simulation, recorded whenever it changes.
  associatedtype State: MetricValue & Equatable
  /// The reason why a scenario cannot be played.
  associatedtype Failure: Error

  /// The metric under which the state is recorded.
  static var stateMetric: Metric<State> { get }

  /// A world at the start of a scenario.
  init(playing scenario: DrivenScenario<Self>, seed: UInt64, branch: Int) throws(Failure)

  /// Starts the engine once the environment is complete.
  func begin()

  /// The time since the start.
  var now: Duration { get }
  /// The next event, even if it is after the end of the scenario.
  var earliest: Upcoming? { get }
  /// A short description of an event.
  func purpose(of upcoming: Upcoming) -> String
  /// Advances time, never past ``earliest``.
  func advance(to moment: Duration)
  /// Executes an event at its time.
  func take(_ upcoming: Upcoming)
  /// Executes an act now that is not in the script.
  func carryOut(_ timed: DrivenTimedAct<Act>)
  /// The current fault settings.
  var faults: DrivenFaultBoard<Act.Fault> { get }

  /// The current state of the simulation.
  func state(of session: SimulationSession<Self>) -> State
  /// Records a state.
  func record(_ state: State)
  /// Records the settings that a reader needs from the start.
  func recordSettings()
  /// Runs all pending work, and returns the entries recorded since the last call.
  func takeRecord() -> [MetricEntry]
}

extension SimulationWorld {
  /// Does nothing by default.
  public func begin() {}
}

/// Something that is due in a world.
public protocol SimulationEvent {
  /// Time at which it is due.
  var at: Duration { get }
}

/// An act in a simulation, by the script or by hand.
public protocol DrivenAct: Hashable, Sendable {
  associatedtype Fault: DrivenFault

  /// Sets a fault, on or off.
  static func fault(_ setting: DrivenFaultSetting<Fault>) -> Self
  /// Switches off all faults.
  static var clearFaults: Self { get }
  /// Puts the device to sleep for a duration.
  static func leap(_ duration: Duration) -> Self

  /// The fault setting of the act, if it sets one.
  var faultSetting: DrivenFaultSetting<Fault>? { get }
  /// The act with its values clamped to their ranges; NaN becomes the lower bound.
  var bounded: Self { get }
}

/// The parts of a scenario that are specific to its world.
public protocol ScenarioSetup: Hashable, Sendable {
  /// The default setup.
  init()
}
