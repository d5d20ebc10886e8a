import Foundation
import MisterMetricsCore
import Platform
import Resilience
import TelemetryCore
import TestSupport

@testable import Sync
@testable import SyncSimulation

extension SyncConfiguration {
  /// The usual constants, but nothing is pushed because it was queued: a test says when.
  static var onRequest: SyncConfiguration {
    var configuration = SyncConfiguration()
    configuration.queueDelay = nil
    return configuration
  }
}

/// An engine on a clock that stands still, with a server that answers as it is told.
final class EngineRig: Sendable {
  let clock = SimulationClock(start: Date(timeIntervalSinceReferenceDate: 800_000_000))
  let server: ScriptedServer
  let stores: CountingStoreFactory
  let preferences = InMemoryPreferences()
  let journal: MetricJournal
  let engine: SyncEngine
  private let work: SimulationTasks
  /// Tells the engine whether there is a network.
  let network: AsyncStream<Bool>.Continuation
  /// How the engine begins work.
  var tasks: SyncTasks { work.tasks }
  private let record = Locked<[MetricEntry]>([])
  /// How often the store had been used whenever a bootstrap was told to be complete.
  var completions: [Int] { notifications.withLock { $0 } }
  private let notifications = Locked<[Int]>([])

  init(
    configuration: SyncConfiguration = .onRequest, cursor: SyncCursor = 1, seed: UInt64 = 1,
    stores: CountingStoreFactory? = nil, conflicts: any ConflictResolver = LocalMembersWin(),
    backend: (ScriptedServer) -> any SyncBackend = { $0 }
  ) throws {
    guard let work = SimulationTasks.make() else {
      throw SyncError(.other, detail: "no executor for tasks here")
    }
    self.work = work
    let clock = self.clock
    server = ScriptedServer(clock: clock)
    self.stores = stores ?? CountingStoreFactory(InMemorySyncStoreFactory(domain: .sample))
    journal = MetricJournal(stamp: { clock.recordTime })
    let shelf = try self.stores.base.makeStore()
    if try shelf.cursor() == nil { try shelf.setCursor(cursor) }
    try shelf.save()
    var environment = SyncEnvironment(
      domain: .sample, backend: backend(server), stores: self.stores, preferences: preferences)
    environment.clock = clock
    environment.generator = SeededGenerator(seed: seed)
    environment.tasks = work.tasks
    environment.conflicts = conflicts
    (environment.reachability, network) = AsyncStream.makeStream(of: Bool.self)
    let (factory, notifications) = (self.stores, notifications)
    environment.onBootstrapCompleted = {
      notifications.withLock { $0.append(factory.counts.operations) }
    }
    engine = SyncEngine(environment, configuration: configuration, journal: journal)
  }

  /// Everything that was recorded so far.
  var entries: [MetricEntry] {
    let new = journal.take()
    return record.withLock { all in
      all += new
      return all
    }
  }

  /// The recorded values of one metric.
  func recorded<Value: MetricValue>(_ metric: Metric<Value>) -> [Value] {
    entries.filter { $0.metric == AnyMetric(metric) }.compactMap { try? $0.decode(Value.self) }
  }

  /// How often an event of the engine's signposts was recorded.
  func count(of event: String) -> Int {
    entries.count { $0.metric.bucket == Bucket("SyncEngine") && $0.metric.name == event }
  }

  /// Starts work and lets it come as far as it can without the clock.
  func start(_ body: @escaping @Sendable (SyncEngine) async throws -> Void) {
    let engine = self.engine
    _ = work.tasks.start { try? await body(engine) }
    work.drain()
  }

  /// Lets one job run, or else the next thing fall due.
  ///
  /// - Returns: Whether there was either.
  func step() -> Bool { work.step() || clock.wakeNext() }

  /// Lets happen what needs no clock.
  func settle() { work.drain() }

  /// Does work that needs the clock no further than the answers to its calls, and returns what it returns.
  @discardableResult
  func run<Value: Sendable>(_ body: @escaping @Sendable (SyncEngine) async throws -> Value) throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    let engine = self.engine
    _ = work.tasks.start {
      do {
        let value = try await body(engine)
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    work.drain()
    while true {
      if let done = result.withLock({ $0 }) { return try done.get() }
      guard clock.wakeNext() else { throw SyncError(.other, detail: "the work waits for nothing") }
      work.drain()
    }
  }

  /// Lets time pass; everything that falls due happens.
  func advance(by duration: Duration) {
    let end = clock.now + duration
    while let next = clock.next, next.at <= end {
      _ = clock.wakeNext()
      work.drain()
    }
    clock.advance(to: end)
  }

  /// Queues a change.
  @discardableResult
  func queue(
    _ operation: Mutation.Operation = .create, _ kind: String = "event", _ id: String,
    _ members: [String: SyncValue] = ["name": "walk"]
  ) throws -> [QueueChange] {
    try run { try await $0.queueMutation(operation, of: EntityKey(kind: kind, id: id), members: members) }
  }

  /// Makes a run.
  @discardableResult
  func sync() throws -> SyncEngine.Outcome {
    try run { await $0.requestSync() }
  }

  /// The cursor as another handle of the store finds it.
  var storedCursor: SyncCursor { get throws { try stores.base.makeStore().cursor() ?? .start } }
  var state: SyncState { get throws { try run { await $0.state } } }
  var pending: Int { get throws { try run { try await $0.pendingCount() } } }
  var remaining: Duration { get throws { try run { await $0.backoffRemaining } } }

  /// The waiting mutations of an entity.
  func mutations(_ kind: String, _ id: String) throws -> [Mutation] {
    try run { engine in
      try await engine.protectedWrite { try $0.mutations(of: EntityKey(kind: kind, id: id)) }
    }
  }

  func row(_ kind: String, _ id: String) throws -> SyncEntity? {
    try run { engine in
      try await engine.protectedWrite { try $0.entity(EntityKey(kind: kind, id: id)) }
    }
  }

  func rows(_ kind: String) throws -> [SyncEntity] {
    try run { engine in try await engine.protectedWrite { try $0.entities(of: kind) } }
  }

  /// Writes a row as the server would have it.
  func seed(_ kind: String, _ id: String, _ members: [String: SyncValue] = [:]) throws {
    try run { engine in
      try await engine.protectedWrite { store in
        try store.upsert(SyncEntity(key: EntityKey(kind: kind, id: id), members: members))
        try store.save()
      }
    }
  }
}
