import Foundation
import MisterMetricsCore
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("What fails leaves nothing half done")
struct EngineFailureTests {
  private func failing(at number: Int) -> CountingStoreFactory.Faults {
    var faults = CountingStoreFactory.Faults()
    faults.operation = number
    return faults
  }

  @Test func `Whichever operation of the store fails, the run ends there and the next one makes up for it`()
    throws
  {
    var used = 1
    var number = 1
    while number <= used + 1 {
      let rig = try EngineRig()
      try rig.queue(.create, "eventType", "t1", ["name": "a"])
      try rig.queue(.create, "event", "e1", ["eventTypeId": "t1"])
      try rig.queue(.create, "event", "e2", ["eventTypeId": "t1"])
      try rig.queue(.delete, "geofence", "g2")
      let new = EntityKey(kind: "event", id: "r1")
      let page = ChangePage(
        changes: [RemoteChange(entity: new, operation: .create, members: ["a": 1])], cursor: 5, hasMore: false
      )
      rig.server.set { $0.pages = [.success(page), .success(page)] }
      let before = rig.stores.counts.operations
      rig.stores.fail(failing(at: number))
      try rig.sync()
      used = rig.stores.counts.operations - before
      rig.stores.fail(CountingStoreFactory.Faults())
      #expect(rig.recorded(SyncMetric.transition).allSatisfy { !$0.refused }, "operation \(number)")
      #expect(rig.recorded(SyncMetric.run).count == 1, "operation \(number)")
      #expect(rig.count(of: "SyncSuccess") + rig.count(of: "SyncFailure") == 1, "operation \(number)")
      try rig.sync()
      let (pending, state, rows) = (try rig.pending, try rig.state, try rig.rows("event"))
      #expect(pending == 0 && state == .idle, "operation \(number)")
      #expect(rows.map(\.key.id) == ["e1", "e2", "r1"], "operation \(number)")
      number += 1
    }
    #expect(number > 20)
  }

  @Test(arguments: 1...8)
  func `A change whose queueing fails is not made durable by the next one`(number: Int) throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "old")
    rig.stores.fail(failing(at: number))
    let isQueued = (try? rig.queue(.create, "event", "e1")) != nil
    rig.stores.fail(CountingStoreFactory.Faults())
    try rig.queue(.create, "event", "e2")
    // Counting what waits comes last, when the transaction is done.
    let isDone = try rig.row("event", "e1") != nil
    #expect(try rig.mutations("event", "e1").isEmpty == !isDone)
    #expect(isDone || !isQueued)
    #expect(!isDone || number > 4)
  }

  @Test func `Whichever operation of a bootstrap's swap fails, the local rows stay, whatever is saved next`()
    throws
  {
    var used = 1
    var number = 1
    while number <= used + 1 {
      let rig = try EngineRig(cursor: 0)
      for id in ["a", "b", "c"] { try rig.seed("event", id, ["name": .string(id)]) }
      rig.server.set {
        $0.latestCursor = .success(70)
        $0.entities = [
          "event": [RemoteEntity(id: "b", members: ["name": "new"]), RemoteEntity(id: "z", members: [:])]
        ]
      }
      let before = rig.stores.counts.operations
      rig.stores.fail(failing(at: number))
      try rig.sync()
      used = rig.stores.counts.operations - before
      rig.stores.fail(CountingStoreFactory.Faults())
      let isDone = try rig.state == .idle
      try rig.queue(.create, "geofence", "g")
      let names = try rig.rows("event").map { $0.members["name"] }
      #expect(names == (isDone ? ["new", nil] : ["a", "b", "c"]), "operation \(number)")
      number += 1
    }
    #expect(number > 10)
  }

  @Test(arguments: [SyncCursor(0), 1], 1...6)
  func `Preferences that fail part neither rows and cursor nor the engine and its store`(
    cursor: SyncCursor, number: Int
  ) async throws {
    let preferences = FailingPreferences()
    let stores = InMemorySyncStoreFactory(domain: .sample)
    let store = stores.makeStore()
    try store.setCursor(cursor)
    try store.save()
    let server = ScriptedServer(clock: SimulationClock(start: .distantPast))
    server.set {
      $0.latestCursor = .success(700)
      $0.pages = [
        .success(ChangePage(changes: [], cursor: 5, hasMore: true)),
        .success(ChangePage(changes: [], cursor: 9, hasMore: false)),
      ]
    }
    let metrics = MetricMemoryStore()
    let engine = SyncEngine(
      SyncEnvironment(
        domain: .sample, backend: server, stores: stores, preferences: preferences, metrics: metrics))
    preferences.fail(at: number)
    await engine.requestSync()
    #expect(try await engine.cursor() == stores.makeStore().cursor() ?? .start)
    await engine.recordsWritten()
    let refused = try await metrics.retrieveAll(for: SyncMetric.transition).filter { $0.value.refused }
    #expect(refused.isEmpty)
  }
}
