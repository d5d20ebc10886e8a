import Essentials
import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import TelemetryCore

/// The same engine that apps link, with a simulated server, clock and user.
public final class SyncWorld: SimulationWorld {
  /// The parts of a scenario other than its head and its acts.
  public typealias Setup = SyncSetup
  /// An act of the script or by hand.
  public typealias Act = SimulationAct
  /// The recorded state of the simulation.
  public typealias State = SyncSimulationRecord

  /// The reason why a scenario cannot be played.
  public enum Failure: Error, Hashable, Sendable {
    /// The system is older than macOS 15 or iOS 18.
    case unavailable
    /// The store or the preferences failed.
    case store(String)
  }

  let scenario: Scenario
  let branch: Int
  var engine: SyncEngine
  /// The environment shared by all engines of this device.
  let environment: SyncEnvironment
  /// Reports to the engine whether there is a network.
  var network: AsyncStream<Bool>.Continuation
  let clock: SimulationClock
  let remote: Locked<SimulatedWorld>
  let stores: InMemorySyncStoreFactory
  let journal: MetricJournal
  let tasks: SimulationTasks
  let trace: SimulationTrace?
  var director: SimulationDirector<SimulationAct, SyncSource>
  /// True if the app requests a run after each change on the device.
  var asksAfterChanges = false
  var content: SimulatedContent
  var identifiers: SyncIdentifiers
  /// The current constants.
  var configuration: SyncConfiguration

  /// A world at the start of a scenario.
  public convenience init(playing scenario: Scenario, seed: UInt64, branch: Int) throws(Failure) {
    try self.init(playing: scenario, seed: seed, branch: branch, trace: nil)
  }

  /// - Parameter trace: Records the messages between engine, store and server.
  init(
    playing scenario: Scenario, seed: UInt64, branch: Int, trace: SimulationTrace?
  ) throws(Failure) {
    guard let tasks = SimulationTasks.make() else { throw .unavailable }
    self.scenario = scenario
    self.branch = branch
    self.tasks = tasks
    self.trace = trace
    let clock = SimulationClock(start: scenario.start)
    self.clock = clock
    let journal = MetricJournal(stamp: { clock.recordTime })
    self.journal = journal
    trace?.count { journal.added }
    configuration = scenario.configuration
    director = SimulationDirector(
      acts: scenario.acts, random: SimulationRandom(seed: seed, stream: 1))
    var content = SimulatedContent(random: SimulationRandom(seed: seed, stream: 2))
    var identifiers = SyncIdentifiers(SimulationRandom(seed: seed, stream: 3))
    let server = SimulatedServer(scenario, &content, &identifiers)
    remote = Locked(
      SimulatedWorld(
        server: server, random: SimulationRandom(seed: seed, stream: 4), session: scenario.session))
    let shelf = InMemorySyncStoreFactory(domain: scenario.domain)
    let preferences = InMemoryPreferences()
    if scenario.isSettled { try Self.settle(shelf, as: server) }
    stores = shelf
    var environment = SyncEnvironment(
      domain: scenario.domain, backend: SimulatedBackend(clock: clock, world: remote, trace: trace),
      stores: trace.map { TracingStoreFactory(stores: shelf, trace: $0) } ?? shelf,
      preferences: trace.map { TracingPreferences(preferences: preferences, trace: $0) } ?? preferences)
    environment.clock = clock
    environment.generator = SimulationRandom(seed: seed, stream: 5)
    environment.conflicts = SeenConflicts(world: remote)
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

  /// An engine, and the continuation that reports the network to it.
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
    // Cancels everything that still waits, so that no task is left behind.
    clock.close()
    network.finish()
    tasks.drain()
  }

  /// Copies the server's content to the device, as after a previous sync.
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

  /// An event that is due.
  public enum Upcoming: SimulationEvent {
    /// An event that the engine waits for.
    case engine(at: Duration, purpose: String)
    /// An event from outside the engine.
    case outside(at: Duration, SyncOccurrence)

    /// Time at which it is due.
    public var at: Duration {
      switch self {
      case .engine(let at, _), .outside(let at, _): at
      }
    }
  }

  /// The next event; at the same time, one from outside the engine comes first.
  public var earliest: Upcoming? {
    let outside = director.next
    if let outside, clock.nextDeadline.map({ outside.at <= $0 }) ?? true {
      return .outside(at: max(outside.at, clock.now), SyncOccurrence(what: outside.what))
    }
    return clock.next.map { .engine(at: $0.at, purpose: $0.purpose) }
  }

  /// A short description of an event.
  public func purpose(of upcoming: Upcoming) -> String {
    switch upcoming {
    case .engine(_, let purpose): purpose
    case .outside(_, let occurrence): occurrence.what.words
    }
  }

  /// Executes an event at its time.
  public func take(_ upcoming: Upcoming) {
    switch upcoming {
    case .engine: _ = clock.wakeNext()
    case .outside(let moment, let occurrence):
      clock.advance(to: moment)
      director.take(occurrence.what, at: clock.now)
      happen(occurrence.what)
    }
  }

  /// Advances time.
  public func advance(to moment: Duration) { clock.advance(to: moment) }
}
