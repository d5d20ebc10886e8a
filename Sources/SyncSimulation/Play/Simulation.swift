public import Essentials
import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import TelemetryCore

/// Plays a scenario: the very engine that apps link, around it a simulated server, clock and person.
///
/// Everything happens inside ``step()``, on the caller's thread and without waiting; the same scenario, seed and acts
/// by hand give the same record to the byte, however fast it is played. What happens is taken out with
/// ``takeEntries()`` and belongs into a `MetricStore`.
///
/// ```swift
/// let simulation = try Simulation(scenario)
/// while simulation.step() {}
/// try await store.append(simulation.takeEntries())
/// ```
public final class Simulation {
  /// Why a scenario cannot be played.
  public enum Failure: Error, Hashable, Sendable {
    /// The system is older than macOS 15 or iOS 18.
    case unavailable
    /// The store or the preferences failed.
    case store(String)
  }

  /// The scenario being played.
  public let scenario: Scenario
  /// The seed in force.
  public let seed: UInt64
  /// The branch that is played; 0 is the main branch.
  public let branch: Int
  /// The branch that this one left.
  public let parent: Int?
  /// How many steps were taken: those by themselves and those by hand.
  public package(set) var steps = 0
  /// How fast its time goes for those who watch; 1 is as fast as ours.
  public package(set) var speed = 1.0
  /// True if it runs on by itself.
  public package(set) var isRunning = true
  /// Acts by people, and as which step.
  public package(set) var actsByHand: [(step: Int, act: TimedAct)] = []

  var engine: SyncEngine
  /// The environment of every engine of this device.
  let environment: SyncEnvironment
  /// Tells the engine whether there is a network.
  var network: AsyncStream<Bool>.Continuation
  let clock: SimulationClock
  let world: Locked<SimulatedWorld>
  let stores: any SyncStoreFactory
  let journal: MetricJournal
  let tasks: SimulationTasks
  let trace: SimulationTrace?
  var director: SimulationDirector
  var content: SimulatedContent
  var identifiers: SyncIdentifiers
  /// Former fault settings from before people changed them, the last one last.
  package var undoable: [[FaultSetting]] = []
  /// The constants in force.
  var configuration: SyncConfiguration
  /// Behind this moment nothing happens by itself; `nil` for no end.
  package var end: Duration?
  /// When the last step was taken; none is at 0.
  package internal(set) var lastStep = Duration.zero
  var entries: [MetricEntry] = []
  var recorded: SyncSimulationRecord?

  /// A simulation at the start of its scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to play.
  ///   - seed: Another seed than the scenario's.
  ///   - trace: Where to note what engine, store and server say to each other.
  /// - Throws: ``Failure``.
  public convenience init(
    _ scenario: Scenario, seed: UInt64? = nil, trace: SimulationTrace? = nil
  ) throws(Failure) {
    try self.init(scenario, seed: seed ?? scenario.seed, branch: 0, parent: nil, trace: trace)
    recordStart()
  }

  init(
    _ scenario: Scenario, seed: UInt64, branch: Int, parent: Int?, trace: SimulationTrace? = nil
  ) throws(Failure) {
    guard let tasks = SimulationTasks.make() else { throw .unavailable }
    self.scenario = scenario
    self.seed = seed
    self.branch = branch
    self.parent = parent
    self.tasks = tasks
    self.trace = trace
    let clock = SimulationClock(start: scenario.start)
    self.clock = clock
    let journal = MetricJournal(stamp: { clock.recordTime })
    self.journal = journal
    trace?.count { journal.added }
    configuration = scenario.configuration
    end = scenario.duration
    director = SimulationDirector(
      acts: scenario.acts.inOrder, random: SimulationRandom(seed: seed, stream: 1))
    var content = SimulatedContent(random: SimulationRandom(seed: seed, stream: 2))
    var identifiers = SyncIdentifiers(SimulationRandom(seed: seed, stream: 3))
    let server = SimulatedServer(scenario, &content, &identifiers)
    world = Locked(
      SimulatedWorld(
        server: server, random: SimulationRandom(seed: seed, stream: 4), session: scenario.session))
    let shelf = InMemorySyncStoreFactory(domain: scenario.domain)
    let preferences = InMemoryPreferences()
    if scenario.isSettled { try Self.settle(shelf, as: server) }
    stores = shelf
    var environment = SyncEnvironment(
      domain: scenario.domain, backend: SimulatedBackend(clock: clock, world: world, trace: trace),
      stores: trace.map { TracingStoreFactory(stores: shelf, trace: $0) } ?? shelf,
      preferences: trace.map { TracingPreferences(preferences: preferences, trace: $0) } ?? preferences)
    environment.clock = clock
    environment.generator = SimulationRandom(seed: seed, stream: 5)
    environment.conflicts = SeenConflicts(world: world)
    if !scenario.chance.isEmpty {
      environment.waitChance = DrawnChance(
        draws: scenario.chance, rest: SimulationRandom(seed: seed, stream: 6))
    }
    environment.tasks = tasks.tasks
    environment.onBootstrapCompleted = { trace?.note(.engine, .app, "bootstrap completed") }
    self.environment = environment
    (engine, network) = Self.makeEngine(environment, scenario.configuration, journal, branch)
    self.content = content
    self.identifiers = identifiers
  }

  /// An engine, and who tells it whether there is a network.
  static func makeEngine(
    _ environment: SyncEnvironment, _ configuration: SyncConfiguration, _ journal: MetricJournal,
    _ branch: Int
  ) -> (SyncEngine, AsyncStream<Bool>.Continuation) {
    var environment = environment
    let (reachability, network) = AsyncStream.makeStream(of: Bool.self)
    environment.reachability = reachability
    return (
      SyncEngine(environment, configuration: configuration, journal: journal, branch: branch), network
    )
  }

  deinit {
    // Anything still waiting is cancelled, so that no task is left behind.
    clock.close()
    network.finish()
    tasks.drain()
  }

  /// Puts what the server holds on the device, as if it had been synced before.
  private static func settle(
    _ stores: some SyncStoreFactory, as server: SimulatedServer
  ) throws(Failure) {
    do {
      let store = try stores.makeStore()
      for kind in server.domain.kinds {
        for id in server.ids(of: kind.name) {
          let key = EntityKey(kind: kind.name, id: id)
          let basis = ServerBasis(version: server.entity(key)?.version)
          var row = SyncEntity(key: key, members: server[key] ?? [:], basis: basis)
          if let link = kind.link, case .string(let owner) = row.members[link.member] { row.linkedTo = owner }
          try store.upsert(row)
        }
      }
      try store.setCursor(server.latestCursor)
      try store.save()
    } catch {
      throw .store(String(describing: error))
    }
  }

  // MARK: - Time

  /// The time since the start.
  public var now: Duration { clock.now }

  /// The moment of the calendar.
  public var recordTime: Date { clock.recordTime }

  /// The next thing to happen, and when; `nil` when the scenario is over or nothing is left to happen.
  public var next: (at: Duration, purpose: String)? {
    guard let upcoming else { return nil }
    switch upcoming {
    case .engine(let at, let purpose): return (at, purpose)
    case .world(let at, let what): return (at, what.words)
    }
  }

  enum Upcoming {
    case engine(at: Duration, purpose: String)
    case world(at: Duration, SimulationDirector.Occurrence)

    var moment: Duration {
      switch self {
      case .engine(let at, _), .world(let at, _): at
      }
    }
  }

  private var upcoming: Upcoming? {
    let soonest = earliest
    if let soonest, let end, soonest.moment > end { return nil }
    return soonest
  }

  /// The first thing due, even if it is behind the end; of two at one moment, the one from outside of the engine.
  var earliest: Upcoming? {
    let outside = director.next
    if let outside, clock.nextDeadline.map({ outside.at <= $0 }) ?? true {
      return .world(at: max(outside.at, clock.now), outside.what)
    }
    return clock.next.map { .engine(at: $0.at, purpose: $0.purpose) }
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
  func take(_ upcoming: Upcoming) {
    steps += 1
    switch upcoming {
    case .engine: _ = clock.wakeNext()
    case .world(let moment, let what):
      clock.advance(to: moment)
      director.take(what, at: clock.now)
      happen(what)
    }
    settleDown()
  }

  /// Lets time pass up to a moment, but not beyond the next thing that happens and not beyond the end.
  public func advance(to moment: Duration) {
    let limits = [earliest?.moment, end].compactMap(\.self)
    clock.advance(to: limits.reduce(moment) { min($0, $1) })
  }
}
