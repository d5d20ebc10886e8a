public import Essentials
public import MisterMetricsCore

/// A simulation controlled by a person: plays a scenario in a world, pauses, steps, changes and branches.
///
/// All work happens inside ``step()``, on the caller's thread and without waiting. The same scenario, seed and acts
/// by hand give the same record to the byte, whatever the speed. ``takeEntries()`` returns the recorded entries,
/// which belong in a `MetricStore`.
///
/// ```swift
/// let simulation = try Simulation(scenario)
/// while simulation.step() {}
/// try await store.append(simulation.takeEntries())
/// ```
public final class SimulationSession<World: SimulationWorld> {
  /// A scenario of the world.
  public typealias Script = DrivenScenario<World>
  /// An act of the world.
  public typealias Act = World.Act
  /// The setting of a fault.
  public typealias Setting = DrivenFaultSetting<World.Act.Fault>
  /// The reason why a scenario cannot be played.
  public typealias Failure = World.Failure

  /// The scenario being played.
  public let scenario: Script
  /// The seed in use.
  public let seed: UInt64
  /// The branch being played; 0 is the main branch.
  public let branch: Int
  /// The parent branch.
  public let parent: Int?
  /// Number of steps taken, including acts by hand.
  public internal(set) var steps = 0
  /// Speed of the visible simulation; 1 is real time.
  public internal(set) var speed = 1.0
  /// True unless the simulation is paused.
  public internal(set) var isRunning = true
  /// The acts by hand, with their step numbers.
  public internal(set) var actsByHand: [(step: Int, act: DrivenTimedAct<Act>)] = []
  /// The engine and its environment.
  package let world: World
  /// The moment after which nothing happens by itself; `nil` for no end.
  package var end: Duration?
  /// Recorded entries that have not been taken.
  package private(set) var entries: [MetricEntry] = []
  /// Fault settings before each change by hand, latest last.
  var undoable: [[Setting]] = []
  /// Time of the last step; 0 before the first one.
  private(set) var lastStep = Duration.zero
  private var recorded: World.State?

  /// A simulation at the start of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario to play.
  ///   - seed: Overrides the scenario's seed.
  /// - Throws: The reason why the scenario cannot be played.
  public convenience init(_ scenario: Script, seed: UInt64? = nil) throws(Failure) {
    let seed = seed ?? scenario.seed
    self.init(scenario, seed: seed, in: try World(playing: scenario, seed: seed, branch: 0))
  }

  /// A simulation at the start of a scenario, in a world at the same point.
  package init(_ scenario: Script, seed: UInt64, branch: Int = 0, parent: Int? = nil, in world: World) {
    (self.scenario, self.seed, self.branch, self.parent) = (scenario, seed, branch, parent)
    self.world = world
    end = scenario.duration
    recordStart { world.begin() }
  }

  // MARK: - Time

  /// The time since the start.
  public var now: Duration { world.now }

  /// The calendar time.
  public var recordTime: Date { scenario.start.addingTimeInterval(now / .seconds(1)) }

  /// The next event and its time; `nil` if the scenario is over or nothing is left to happen.
  public var next: (at: Duration, purpose: String)? {
    upcoming.map { (max($0.at, now), world.purpose(of: $0)) }
  }

  private var upcoming: World.Upcoming? {
    let soonest = world.earliest
    if let soonest, let end, soonest.at > end { return nil }
    return soonest
  }

  /// Plays the next event.
  ///
  /// - Returns: True if there was one; false at the end of the scenario.
  @discardableResult
  public func step() -> Bool {
    guard let upcoming else { return false }
    take(upcoming)
    return true
  }

  /// Takes a step that is not by hand.
  func take(_ upcoming: World.Upcoming) {
    steps += 1
    world.take(upcoming)
    settleDown()
  }

  /// Advances time to a moment, but not past the next event or the end.
  public func advance(to moment: Duration) {
    let limits = [world.earliest?.at, end].compactMap(\.self)
    world.advance(to: limits.reduce(moment) { min($0, $1) })
  }

  // MARK: - Record

  /// Returns and removes the entries recorded since the last call.
  public func takeEntries() -> [MetricEntry] {
    defer { entries = [] }
    return entries
  }

  /// The current state of the simulation as an entry with the current time.
  ///
  /// Written before a branch's entries when several branches share a file, so that readers know which branch they
  /// belong to. `nil` if a time is too large to encode.
  public func statement() -> MetricEntry? {
    try? MetricEntry(timestamp: recordTime, metric: World.stateMetric, encoding: world.state(of: self))
  }

  /// True if the simulation continues by itself.
  package var isGoing: Bool { isRunning && (next != nil || end == nil) }

  /// Collects the results of a step.
  package func settleDown() {
    entries += world.takeRecord()
    lastStep = now
    recordSimulation()
  }

  /// Records the state of the simulation if it has changed.
  func recordSimulation() {
    let current = world.state(of: self)
    guard current != recorded else { return }
    recorded = current
    world.record(current)
    entries += world.takeRecord()
  }

  /// Drops the recorded entries, for example when a branch has reached its beginning.
  func forgetRecord() {
    entries = []
    recorded = nil
  }

  /// Records the initial state.
  func recordStart(_ begin: () -> Void = {}) {
    recordSimulation()
    world.recordSettings()
    begin()
    settleDown()
  }
}

/// Speeds of a visible simulation.
package enum SimulationSpeed {
  /// The speeds selected by keys, from slow to fast.
  package static let ladder: [Double] = [0.25, 0.5, 1, 2, 5, 10, 20, 60]

  /// The speed clamped to the valid range; NaN becomes the lower bound.
  static func bounded(_ speed: Double) -> Double {
    speed >= 0.25 ? min(speed, 60) : 0.25
  }
}
