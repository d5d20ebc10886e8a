package import MisterMetricsCore

/// A simulation that a person drives: stops, steps, changes, and branches.
///
/// The two simulators differ in what they play; all that a person does to them is here. What they make public under names
/// of their own is done by the methods of the extensions.
package protocol DrivenSimulation: AnyObject {
  associatedtype Script: DrivenScenario
  /// Why a scenario cannot be played.
  associatedtype Failure: Error
  typealias Act = Script.Timed.Act
  typealias Setting = Act.Setting

  // MARK: What is played

  /// The scenario.
  var scenario: Script { get }
  /// The seed in force.
  var seed: UInt64 { get }
  /// The branch that is played; 0 is the main one.
  var branch: Int { get }
  /// How many steps were taken: those by themselves and those by hand.
  var steps: Int { get set }
  /// How fast its time goes for those who watch; 1 is as fast as ours.
  var speed: Double { get set }
  /// True if it runs on by itself.
  var isRunning: Bool { get set }
  /// Acts of people, with their steps.
  var actsByHand: [(step: Int, act: Script.Timed)] { get set }
  /// Settings of faults before people changed them, the last one last.
  var undoable: [[Setting]] { get set }

  // MARK: Time

  /// The time since the start.
  var now: Duration { get }
  /// When the last step was taken; none is at 0.
  var lastStep: Duration { get }
  /// Behind this moment nothing happens by itself; `nil` for no end.
  var end: Duration? { get set }
  /// The next event, and its time; `nil` when the scenario is over or nothing is left.
  var next: (at: Duration, purpose: String)? { get }
  /// When something happens next, be it behind the end.
  var due: Duration? { get }

  /// Lets the next thing happen.
  ///
  /// - Returns: Whether there was one; at the end of the scenario there is none.
  @discardableResult func step() -> Bool

  /// Lets the next thing happen, be it behind the end.
  func takeDue()

  /// Lets time pass up to a moment, but not beyond the next thing that happens and not beyond the end.
  func advance(to moment: Duration)

  // MARK: Acts

  /// Lets something happen now, which is its moment.
  func carryOut(_ timed: Script.Timed)

  /// The setting of a fault.
  func setting(of fault: Setting.Fault) -> Setting

  /// The settings that an act changes, as they are; `nil` for one that is not about faults.
  func settings(changedBy act: Act) -> [Setting]?

  // MARK: Branches

  /// A simulation at the start of its scenario.
  static func playing(_ scenario: Script) throws(Failure) -> Self

  /// A simulation with the same seed that branched off from this one, at the start of its scenario.
  func sibling(playing scenario: Script, as number: Int) throws(Failure) -> Self

  // MARK: Record

  /// Takes out what was recorded since.
  func takeEntries() -> [MetricEntry]

  /// The simulation as it is now, as an entry of this moment.
  ///
  /// Written before a branch's entries, so readers know which branch they belong to. `nil` where a time is out of
  /// range.
  func statement() -> MetricEntry?

  /// Records the simulation itself when anything about it has changed.
  func recordSimulation()

  /// Forgets what was recorded, as when a branch has come to where it begins.
  func forgetRecord()

  /// Records where it starts from.
  func recordStart()
}

extension DrivenSimulation {
  /// How fast time can go for those who watch, from slow to fast.
  package static var speedLadder: [Double] { SimulationSpeed.ladder }
}

/// How fast the time of a simulation goes.
package enum SimulationSpeed {
  /// The speeds that keys choose, from slow to fast.
  package static let ladder: [Double] = [0.25, 0.5, 1, 2, 5, 10, 20, 60]

  /// A speed moved to the next end of what there is; what is no number is the lower end.
  package static func bounded(_ speed: Double) -> Double {
    speed >= 0.25 ? min(speed, 60) : 0.25
  }
}
