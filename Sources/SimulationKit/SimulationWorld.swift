public import MisterMetricsCore

/// An engine with what a scenario puts around it: what a ``SimulationSession`` plays.
///
/// It says what is due and lets it happen; when, how often, and in which branch is the session's part.
public protocol SimulationWorld: AnyObject, SendableMetatype {
  /// The parts of a scenario besides its head and its acts.
  associatedtype Setup: ScenarioSetup
  /// Something that can happen in it, by the script or by hand.
  associatedtype Act: DrivenAct
  /// Something that is due.
  associatedtype Upcoming: SimulationEvent
  /// The simulation as it is recorded whenever something about it changed.
  associatedtype State: MetricValue & Equatable
  /// Why a scenario cannot be played.
  associatedtype Failure: Error

  /// Where its state is recorded.
  static var stateMetric: Metric<State> { get }

  /// A world at the start of a scenario.
  init(playing scenario: DrivenScenario<Self>, seed: UInt64, branch: Int) throws(Failure)

  /// Begins, once everything is in its place.
  func begin()

  /// The time since the start.
  var now: Duration { get }
  /// The first thing due, even if it is behind the end of the scenario.
  var earliest: Upcoming? { get }
  /// Something that is due, in a few words.
  func purpose(of upcoming: Upcoming) -> String
  /// Lets time pass; no one asks for a moment behind ``earliest``.
  func advance(to moment: Duration)
  /// Lets what is due happen, at its moment.
  func take(_ upcoming: Upcoming)
  /// Lets something happen now that no script foresaw.
  func carryOut(_ timed: DrivenTimedAct<Act>)
  /// The faults as they are set.
  var faults: DrivenFaultBoard<Act.Fault> { get }

  /// The simulation as it is now.
  func state(of session: SimulationSession<Self>) -> State
  /// Records a state.
  func record(_ state: State)
  /// Records the settings that a reader has to know from the start.
  func recordSettings()
  /// Runs what can run, and takes out what was recorded since.
  func takeRecord() -> [MetricEntry]
}

extension SimulationWorld {
  /// Begins, once everything is in its place.
  public func begin() {}
}

/// Something that is due in a world.
public protocol SimulationEvent {
  /// When it was, or will be, due.
  var at: Duration { get }
}

/// Something that can happen in a simulation, by the script or by hand.
public protocol DrivenAct: Hashable, Sendable {
  associatedtype Fault: DrivenFault

  /// A fault is set, on or off.
  static func fault(_ setting: DrivenFaultSetting<Fault>) -> Self
  /// Every fault is switched off.
  static var clearFaults: Self { get }
  /// The device sleeps for that long.
  static func leap(_ duration: Duration) -> Self

  /// The setting that it sets.
  var faultSetting: DrivenFaultSetting<Fault>? { get }
  /// The act with what it is about moved to the next end of what there is; what is no number is the lower end.
  var bounded: Self { get }
}

/// The parts of a scenario that its world alone knows.
public protocol ScenarioSetup: Hashable, Sendable {
  /// The usual ones.
  init()
}
