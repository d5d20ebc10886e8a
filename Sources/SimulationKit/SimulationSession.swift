public import Essentials
public import MisterMetricsCore

/// A simulation that a person drives: it plays a scenario in a world, stops, steps, changes, and branches.
///
/// Everything happens inside ``step()``, on the caller's thread and without waiting; the same scenario, seed and acts by
/// hand give the same record to the byte, however fast it is played. What happens is taken out with ``takeEntries()`` and
/// belongs into a `MetricStore`.
///
/// ```swift
/// let simulation = try Simulation(scenario)
/// while simulation.step() {}
/// try await store.append(simulation.takeEntries())
/// ```
public final class SimulationSession<World: SimulationWorld> {
  /// A scenario of that world.
  public typealias Script = DrivenScenario<World>
  /// Something that can happen in it.
  public typealias Act = World.Act
  /// The setting of a fault.
  public typealias Setting = DrivenFaultSetting<World.Act.Fault>
  /// Why a scenario cannot be played.
  public typealias Failure = World.Failure

  /// The scenario being played.
  public let scenario: Script
  /// The seed in force.
  public let seed: UInt64
  /// The branch that is played; 0 is the main branch.
  public let branch: Int
  /// The branch that this one left.
  public let parent: Int?
  /// How many steps were taken: those by themselves and those by hand.
  public internal(set) var steps = 0
  /// How fast its time goes for those who watch; 1 is as fast as ours.
  public internal(set) var speed = 1.0
  /// True if it runs on by itself.
  public internal(set) var isRunning = true
  /// Acts by people, and as which step.
  public internal(set) var actsByHand: [(step: Int, act: DrivenTimedAct<Act>)] = []
  /// The engine, and what is around it.
  package let world: World
  /// Behind this moment nothing happens by itself; `nil` for no end.
  package var end: Duration?
  /// Recorded entries that were not taken out yet.
  package private(set) var entries: [MetricEntry] = []
  /// Former fault settings from before people changed them, the last one last.
  var undoable: [[Setting]] = []
  /// When the last step was taken; none is at 0.
  private(set) var lastStep = Duration.zero
  private var recorded: World.State?

  /// A simulation at the start of its scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to play.
  ///   - seed: Another seed than the scenario's.
  /// - Throws: Why it cannot be played.
  public convenience init(_ scenario: Script, seed: UInt64? = nil) throws(Failure) {
    let seed = seed ?? scenario.seed
    self.init(scenario, seed: seed, in: try World(playing: scenario, seed: seed, branch: 0))
  }

  /// A simulation at the start of its scenario, in a world at that moment.
  package init(_ scenario: Script, seed: UInt64, branch: Int = 0, parent: Int? = nil, in world: World) {
    (self.scenario, self.seed, self.branch, self.parent) = (scenario, seed, branch, parent)
    self.world = world
    end = scenario.duration
    recordStart { world.begin() }
  }

  // MARK: - Time

  /// The time since the start.
  public var now: Duration { world.now }

  /// The moment of the calendar.
  public var recordTime: Date { scenario.start.addingTimeInterval(now / .seconds(1)) }

  /// The next thing to happen, and when; `nil` when the scenario is over or nothing is left to happen.
  public var next: (at: Duration, purpose: String)? {
    upcoming.map { (max($0.at, now), world.purpose(of: $0)) }
  }

  private var upcoming: World.Upcoming? {
    let soonest = world.earliest
    if let soonest, let end, soonest.at > end { return nil }
    return soonest
  }

  /// Lets the next thing happen.
  ///
  /// - Returns: Whether there was one; at the end of the scenario there is none.
  @discardableResult
  public func step() -> Bool {
    guard let upcoming else { return false }
    take(upcoming)
    return true
  }

  /// Takes one step by itself.
  func take(_ upcoming: World.Upcoming) {
    steps += 1
    world.take(upcoming)
    settleDown()
  }

  /// Lets time pass up to a moment, but not beyond the next thing that happens and not beyond the end.
  public func advance(to moment: Duration) {
    let limits = [world.earliest?.at, end].compactMap(\.self)
    world.advance(to: limits.reduce(moment) { min($0, $1) })
  }

  // MARK: - Record

  /// Takes out what was recorded since.
  public func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// The simulation as it is now, as an entry of this moment.
  ///
  /// Callers that write several branches into one file put it before the entries with which one of them goes on, so
  /// that a reader knows whose entries follow. `nil` where a time is out of all reason.
  public func statement() -> MetricEntry? {
    try? MetricEntry(timestamp: recordTime, metric: World.stateMetric, encoding: world.state(of: self))
  }

  /// True if it goes on by itself.
  package var isGoing: Bool { isRunning && (next != nil || end == nil) }

  /// Takes note of what was done.
  package func settleDown() {
    entries += world.takeRecord()
    lastStep = now
    recordSimulation()
  }

  /// Records the simulation itself when anything about it has changed.
  func recordSimulation() {
    let current = world.state(of: self)
    guard current != recorded else { return }
    recorded = current
    world.record(current)
    entries += world.takeRecord()
  }

  /// Forgets what was recorded, as when a branch has come to where it begins.
  func forgetRecord() {
    entries = []
    recorded = nil
  }

  /// Records where it starts from.
  func recordStart(_ begin: () -> Void = {}) {
    recordSimulation()
    world.recordSettings()
    begin()
    settleDown()
  }
}

/// How fast the time of a simulation goes.
package enum SimulationSpeed {
  /// The speeds that keys choose, from slow to fast.
  package static let ladder: [Double] = [0.25, 0.5, 1, 2, 5, 10, 20, 60]

  /// A speed moved to the next end of what there is; what is no number is the lower end.
  static func bounded(_ speed: Double) -> Double {
    speed >= 0.25 ? min(speed, 60) : 0.25
  }
}
