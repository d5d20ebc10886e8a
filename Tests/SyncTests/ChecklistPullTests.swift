import Foundation
import Testing

@testable import Sync

private func change(
  _ operation: Mutation.Operation, _ kind: String, _ id: String, _ members: [String: SyncValue] = [:]
) -> RemoteChange {
  RemoteChange(entity: EntityKey(kind: kind, id: id), operation: operation, members: members)
}

private func page(_ changes: [RemoteChange] = [], _ cursor: SyncCursor, more: Bool = false) -> Result<
  ChangePage, SyncError
> {
  .success(ChangePage(changes: changes, cursor: cursor, hasMore: more))
}

@Suite("Checklist C.1: paging and resurrection")
struct ChecklistPullTests {
  @Test("A-25: pages are fetched until there is no more, each with the cursor of the one before")
  func pages() throws {
    let rig = try EngineRig(cursor: 1000)
    rig.server.set {
      $0.pages = [page([], 2000, more: true), page([], 3000, more: true), page([], 4000)]
    }
    try rig.sync()
    #expect(rig.server.cursors == [1000, 2000, 3000])
    #expect(try rig.run { try await $0.cursor() } == 4000)
  }

  @Test("A-26: one call only when the first page says no more")
  func onePage() throws {
    let rig = try EngineRig()
    rig.server.set { $0.pages = [page([], 2)] }
    try rig.sync()
    #expect(rig.server.cursors == [1])
  }

  @Test("A-27: the final cursor is readable from the preferences afterwards")
  func storedCursor() throws {
    let rig = try EngineRig()
    rig.server.set { $0.pages = [page([], 12, more: true), page([], 34)] }
    try rig.sync()
    #expect(try rig.storedCursor == 34)
  }

  @Test("A-28: a cursor beyond 32 bits is kept exactly, one beyond 2^53 too")
  func wideCursor() throws {
    let rig = try EngineRig()
    rig.server.set { $0.pages = [page([], 5_000_000_001, more: true), page([], 9_007_199_254_740_993)] }
    try rig.sync()
    #expect(rig.server.cursors == [1, 5_000_000_001])
    #expect(try rig.storedCursor == 9_007_199_254_740_993)
  }

  @Test("A-29: a page with one event-type create leads to exactly one upsert with that id")
  func oneUpsert() throws {
    let rig = try EngineRig()
    rig.server.set { $0.pages = [page([change(.create, "eventType", "t1", ["name": "walk"])], 2)] }
    try rig.sync()
    #expect(try rig.rows("eventType").map(\.key.id) == ["t1"])
    #expect(rig.recorded(SyncMetric.run).last?.pulled == 1)
  }

  @Test("A-30: three pages with one change each are all applied")
  func threePages() throws {
    let rig = try EngineRig()
    rig.server.set {
      $0.pages = [
        page([change(.create, "geofence", "a")], 2, more: true),
        page([change(.create, "geofence", "b")], 3, more: true),
        page([change(.create, "geofence", "c")], 4),
      ]
    }
    try rig.sync()
    #expect(try rig.rows("geofence").map(\.key.id) == ["a", "b", "c"])
  }

  @Test("more without a cursor that moves on ends the run with an error, and the cursor stays")
  func stuckCursor() throws {
    let rig = try EngineRig(cursor: 5)
    rig.server.set { $0.pages = [page([], 7, more: true), page([], 7, more: true)] }
    try rig.sync()
    #expect(try rig.state.kind == .error)
    #expect(try rig.storedCursor == 7)
  }

  @Test("a page with an older cursor never takes the stored one back")
  func cursorNeverDecreases() throws {
    let rig = try EngineRig(cursor: 50)
    rig.server.set { $0.pages = [page([], 10)] }
    try rig.sync()
    #expect(try rig.storedCursor == 50)
  }

  @Test("unknown kinds are skipped and counted; absent members stay, an explicit null clears")
  func members() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g1", ["name": "home", "radius": 20, "note": "x"])
    rig.server.set {
      $0.pages = [
        page(
          [
            change(.create, "spaceship", "s1"),
            change(.update, "geofence", "g1", ["radius": 30, "note": .null]),
          ], 2)
      ]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g1")?.members == ["name": "home", "radius": 30])
    #expect(try rig.run { await $0.unknownKinds } == ["spaceship": 1])
  }

  @Test("a change of an entity that is not here waits for it, over runs, and follows its create")
  func quarantine() throws {
    let rig = try EngineRig()
    rig.server.set { $0.pages = [page([change(.update, "geofence", "g1", ["radius": 30])], 2)] }
    try rig.sync()
    #expect(try rig.rows("geofence") == [])
    rig.server.set {
      $0.pages = [page([change(.create, "geofence", "g1", ["radius": 20, "name": "home"])], 3)]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g1")?.members == ["name": "home", "radius": 30])
    #expect(try rig.run { engine in try await engine.protectedWrite { try $0.quarantine() } } == [])
  }

  /// A run in which the feed creates what is to be deleted here, and one other.
  private func resurrect(_ ids: [String]) throws -> EngineRig {
    let rig = try EngineRig()
    for id in ids {
      try rig.seed("geofence", id)
      try rig.queue(.delete, "geofence", id, [:])
    }
    rig.server.set {
      $0.pushes = ids.map { _ in SyncError(.server, status: 500) }
      $0.pages = [page((ids + ["other"]).map { change(.create, "geofence", $0) }, 9)]
    }
    try rig.sync()
    return rig
  }

  @Test("A-48: a create in the feed for an entity with a queued delete is not applied")
  func resurrection() throws {
    let rig = try resurrect(["a"])
    #expect(try rig.rows("geofence").map(\.key.id) == ["other"])
    #expect(try rig.run { try await $0.cursor() } == 9)
  }

  @Test("A-49: several such entities are all skipped")
  func resurrections() throws {
    let rig = try resurrect(["a", "b", "c"])
    #expect(try rig.rows("geofence").map(\.key.id) == ["other"])
  }

  @Test("A-50: the pending deletes are known before the first page is applied: also one that comes meanwhile")
  func capturedFirst() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "a")
    try rig.queue(.delete, "geofence", "a", [:])
    try rig.seed("geofence", "b")
    rig.server.set {
      $0.pushes = [SyncError(.server, status: 500)]
      $0.delay = .seconds(1)
      $0.pages = [page([change(.update, "geofence", "a"), change(.update, "geofence", "b", ["n": 2])], 2)]
    }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(2.5))
    rig.start { _ = try await $0.queueMutation(.delete, of: EntityKey(kind: "geofence", id: "b")) }
    rig.advance(by: .seconds(1))
    #expect(rig.server.cursors.count == 1)
    #expect(try rig.rows("geofence") == [])
  }

  @Test("A-51: after the delete has been pushed, a later create of the same id is applied")
  func afterDelete() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "a")
    try rig.queue(.delete, "geofence", "a", [:])
    rig.server.set { $0.pages = [page([change(.create, "geofence", "a", ["name": "new"])], 2)] }
    try rig.sync()
    #expect(try rig.row("geofence", "a")?.members == ["name": "new"])
  }

  @Test("A-52: protection works for event types")
  func eventTypes() throws {
    let rig = try EngineRig()
    try rig.seed("eventType", "t")
    try rig.queue(.delete, "eventType", "t", [:])
    rig.server.set {
      $0.pushes = [SyncError(.http, status: 400)]
      $0.pages = [page([change(.create, "eventType", "t"), change(.update, "eventType", "t")], 2)]
    }
    try rig.sync()
    #expect(try rig.rows("eventType") == [])
  }

  @Test("A-68: a pulled change does not overwrite the edited members of a row with a pending update")
  func localEditsWin() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "home", "radius": 20])
    try rig.queue(.update, "geofence", "g", ["name": "house"])
    rig.server.set {
      $0.pushes = [SyncError(.http, status: 400)]
      $0.pages = [page([change(.update, "geofence", "g", ["name": "remote", "radius": 30])], 2)]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g")?.members == ["name": "house", "radius": 30])
    #expect(try rig.row("geofence", "g")?.status == .pending)
  }
}
