import Foundation
import Testing

@testable import Sync

@Suite("Checklist C.1: store handle, cancellation")
struct ChecklistStoreTests {
  @Test("A-53: sync, queueing, counting, clearing and cursor skipping share one store handle")
  func oneHandle() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    try rig.sync()
    _ = try rig.pending
    try rig.queue(.create, "geofence", "h")
    try rig.run { try await $0.clearPending() }
    try rig.run { try await $0.skipToLatestCursor() }
    #expect(rig.stores.counts.opens == 1)
  }

  @Test(
    "A-55: skipping to the latest cursor returns and stores the server's value; failure goes to the caller")
  func skips() throws {
    let rig = try EngineRig()
    rig.server.set { $0.latestCursor = .success(42) }
    #expect(try rig.run { try await $0.skipToLatestCursor() } == 42)
    #expect(try rig.storedCursor == 42)
    rig.server.set { $0.latestCursor = .failure(SyncError(.timeout)) }
    #expect(throws: SyncError(.timeout)) { try rig.run { try await $0.skipToLatestCursor() } }
    #expect(try rig.state == .idle)
  }

  @Test("A-56: after a store reset the next access opens exactly one new handle")
  func reset() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "a")
    try rig.run { await $0.resetStore() }
    #expect(rig.stores.counts.opens == 1)
    _ = try rig.pending
    _ = try rig.pending
    #expect(rig.stores.counts.opens == 2)
  }

  @Test("A-57: mutations queued before and after a reset are both present")
  func resetLosesNothing() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "a")
    try rig.run { await $0.resetStore() }
    try rig.queue(.create, "geofence", "b")
    #expect(try rig.pending == 2)
    #expect(try rig.mutations("geofence", "a").count == 1 && rig.mutations("geofence", "b").count == 1)
  }

  @Test("A-58: ten reset-and-use rounds open ten handles")
  func tenRounds() throws {
    let rig = try EngineRig()
    for _ in 0..<10 {
      _ = try rig.pending
      try rig.run { await $0.resetStore() }
    }
    #expect(rig.stores.counts.opens == 10)
  }

  @Test("A-59: reset followed by a sync succeeds")
  func resetThenSync() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "a")
    try rig.run { await $0.resetStore() }
    try rig.sync()
    #expect(try rig.state == .idle && rig.pending == 0)
  }

  @Test("A-60: nothing is written without an explicit save")
  func noWriteWithoutSave() throws {
    let rig = try EngineRig()
    try rig.run { engine in
      try await engine.protectedWrite {
        try $0.upsert(SyncEntity(key: EntityKey(kind: "geofence", id: "g"), members: [:]))
      }
    }
    // As after the background: the handle is dropped and made again.
    try rig.run { await $0.resetStore() }
    #expect(try rig.rows("geofence") == [])
    #expect(rig.stores.counts.saves == 0)
    _ = try rig.pending
    try rig.run { await $0.resetStore() }
    #expect(rig.stores.counts.saves == 0)
  }

  @Test("A-61: a protected write runs its body, returns its value and passes its error on")
  func protectedWrite() throws {
    let rig = try EngineRig()
    #expect(try rig.run { engine in try await engine.protectedWrite { _ in 7 } } == 7)
    #expect(throws: SyncError(.other, detail: "mine")) {
      try rig.run { engine in try await engine.protectedWrite { _ in throw SyncError(.other, detail: "mine") }
      }
    }
  }

  @Test("a file that cannot be opened drops the handle, and the operation is repeated once")
  func staleHandle() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "a")
    rig.stores.fail(.init(operations: 1))
    #expect(try rig.pending == 1)
    #expect(rig.stores.counts.opens == 2)
    rig.stores.fail(.init(operations: 2))
    #expect(throws: SyncError.self) { try rig.pending }
  }

  @Test("a store that fails in a run ends it as error, and the mutation is not lost")
  func failingSave() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "a")
    rig.stores.fail(.init(saves: 1))
    try rig.sync()
    #expect(try rig.state.kind == .error)
    #expect(rig.recorded(SyncMetric.run).last?.status == .failed)
    try rig.sync()
    #expect(try rig.state == .idle && rig.pending == 0)
  }

  @Test("a store reset cancels the active run: idle, failed \"cancelled\", cursor and counters kept")
  func cancels() throws {
    let rig = try EngineRig(cursor: 5)
    rig.server.set { $0.delay = .seconds(10) }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(15))
    #expect(try rig.state == .pulling)
    rig.start { await $0.resetStore() }
    #expect(try rig.state == .idle)
    let rows = try rig.run { await $0.history }
    #expect(rows.map(\.run.status) == [.failed] && rows.map(\.run.error) == ["cancelled"])
    #expect(rig.count(of: "SyncFailure") == 1)
    #expect(rig.count(of: "FullSync") == 1 && rig.count(of: "PullChanges") == 1)
    rig.advance(by: .seconds(100))
    #expect(try rig.run { try await $0.cursor() } == 5)
  }

  @Test("the history keeps ten rows, newest first, over restarts; what cannot be read starts empty")
  func history() throws {
    let rig = try EngineRig()
    for _ in 0..<12 { try rig.sync() }
    #expect(try rig.run { await $0.history.map(\.id) } == Array((3...12).reversed()))
    #expect(SyncPreferenceValues(rig.preferences).history.count == 10)
    rig.preferences.set(Data("{".utf8), for: "history")
    #expect(SyncPreferenceValues(rig.preferences).history == [])
  }

  @Test("a row of the history keeps 2 KiB of the server's text, and is read as it was written")
  func boundedHistory() throws {
    let rig = try EngineRig()
    let refusal = SyncError(
      httpStatus: 401, detail: String(repeating: "x", count: 5000), retryAfter: .seconds(3),
      current: RemoteEntity(id: "a", members: ["text": "long"]))
    rig.server.set { $0.probes = [refusal] }
    try rig.sync()
    let rows = try rig.run { await $0.history }
    let failure = rows.first?.run.failure
    #expect(rows.count == 1 && failure?.code == .unauthorized && failure?.status == 401)
    #expect(failure?.detail.utf8.count == 2048 && failure?.current == nil)
    #expect(failure?.retryAfter == .seconds(3))
    #expect(SyncPreferenceValues(rig.preferences).history == rows)
  }
}
