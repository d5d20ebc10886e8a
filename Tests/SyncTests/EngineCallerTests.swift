import Foundation
import MisterMetricsCore
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("What callers of an engine hear")
struct EngineCallerTests {
  /// A store of metrics that lets others go first.
  private struct PatientStore: MetricStore {
    func record<Value: MetricValue>(_ metric: Metric<Value>, value: Value) async throws {
      for _ in 0..<20 { await Task.yield() }
    }

    func retrieveAll(from: Date, until: Date) async throws -> [MetricEntry] { [] }

    func sync() async throws {}
  }

  private func environment(
    _ server: ScriptedServer, metrics: (any MetricStore)? = nil
  ) -> SyncEnvironment {
    SyncEnvironment(
      domain: .sample, backend: server, stores: InMemorySyncStoreFactory(domain: .sample),
      preferences: InMemoryPreferences(),
      metrics: metrics)
  }

  @Test func `Whose run was made hears what it came to, although the next one has begun`() async throws {
    let server = ScriptedServer(clock: SimulationClock(start: .distantPast))
    let engine = SyncEngine(environment(server, metrics: PatientStore()))
    let notices = await engine.notices()
    let finished = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var numbers: [Int] = []
          for _ in 0..<50 {
            if case .finished(let run) = await engine.requestSync() { numbers.append(run.sequence) }
          }
          return numbers
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    await engine.stop()
    var asked: [Int] = []
    for await notice in notices {
      if case .run(let run) = notice, run.trigger == .app { asked.append(run.sequence) }
    }
    #expect(finished.sorted() == asked)
  }

  @Test func `Observers hear of the success itself, not only that the engine rests`() async throws {
    let rig = try EngineRig()
    let stream = try rig.run { await $0.updates() }
    try rig.sync()
    var newest = stream.makeAsyncIterator()
    #expect(await newest.next()?.lastSuccess == rig.clock.wallTime)
  }

  @Test func `An engine that nobody holds any more goes, and its backoff with it`() async throws {
    let clock = SimulationClock(start: .distantPast)
    let server = ScriptedServer(clock: clock)
    server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 429), count: 3) }
    weak var gone: SyncEngine?
    do {
      var environment = environment(server)
      environment.clock = clock
      let engine = SyncEngine(environment)
      for id in ["a", "b", "c"] {
        try await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: id))
      }
      await engine.requestSync()
      #expect(await engine.isBreakerOpen)
      gone = engine
    }
    // Its last tasks come to their end on threads of their own.
    for _ in 0..<100_000 where gone != nil { await Task.yield() }
    #expect(gone == nil)
  }

  @Test func `What waited for an entity that was deleted is not applied to its successor`() throws {
    let rig = try EngineRig()
    let key = EntityKey(kind: "event", id: "x")
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [
              RemoteChange(entity: key, operation: .update, members: ["name": "stale"]),
              RemoteChange(entity: key, operation: .delete, members: [:]),
              RemoteChange(entity: key, operation: .create, members: ["name": "fresh"]),
            ], cursor: 5, hasMore: false))
      ]
    }
    try rig.sync()
    #expect(try rig.row("event", "x")?.members["name"] == "fresh")
  }
}
