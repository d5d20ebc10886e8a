import Foundation
import Testing

@testable import Sync

@Suite("Checklist C.1: bootstrap")
struct ChecklistBootstrapTests {
  private func bootstrapped(_ prepare: (EngineRig) throws -> Void = { _ in }) throws -> EngineRig {
    let rig = try EngineRig(cursor: 0)
    rig.server.set {
      $0.latestCursor = .success(700)
      $0.entities = [
        "eventType": [
          RemoteEntity(id: "t1", members: ["name": "walk"]), RemoteEntity(id: "t2", members: ["name": "run"]),
        ],
        "geofence": [RemoteEntity(id: "g1", members: ["name": "home", "active": false])],
        "event": [RemoteEntity(id: "e1", members: ["eventTypeId": "t1"])],
        "propertyDefinition": [RemoteEntity(id: "p1", members: ["eventTypeId": "t2", "key": "km"])],
      ]
    }
    try prepare(rig)
    try rig.sync()
    return rig
  }

  @Test("A-39: after bootstrap an event is linked to its event type")
  func links() throws {
    #expect(try bootstrapped().row("event", "e1")?.linkedTo == "t1")
  }

  @Test("A-40: cursor 0 triggers one full fetch and no change-feed read")
  func fullFetch() throws {
    let rig = try bootstrapped()
    #expect(rig.server.cursors.isEmpty)
    #expect(rig.server.fetches == 5)
    #expect(rig.recorded(SyncMetric.run).map(\.bootstrap) == [true])
  }

  @Test("A-41: a non-zero cursor triggers one change-feed read and no full fetch")
  func noFullFetch() throws {
    let rig = try EngineRig(cursor: 3)
    try rig.sync()
    #expect(rig.server.cursors == [3] && rig.server.fetches == 0)
  }

  @Test("A-42: after bootstrap the stored cursor equals the server's latest")
  func storesCursor() throws {
    #expect(try bootstrapped().storedCursor == 700)
  }

  @Test("A-43: all event types of the server are stored with their names")
  func storesTypes() throws {
    #expect(try bootstrapped().rows("eventType").map { $0.members["name"] } == ["walk", "run"])
  }

  @Test("A-46: geofences are fetched and stored")
  func storesGeofences() throws {
    let rig = try bootstrapped()
    #expect(rig.server.calls.contains(.entities(kind: "geofence", owner: nil)))
    #expect(try rig.rows("geofence").map(\.key.id) == ["g1"])
  }

  @Test("property definitions are fetched for each type and stored")
  func storesDefinitions() throws {
    let rig = try bootstrapped()
    #expect(try rig.rows("propertyDefinition").map(\.key.id) == ["p1"])
  }

  @Test("A-44: a local row unknown to the server is gone after bootstrap")
  func replaces() throws {
    let rig = try bootstrapped { try $0.seed("geofence", "old") }
    #expect(try rig.rows("geofence").map(\.key.id) == ["g1"])
  }

  @Test("A-45: if the latest cursor cannot be read, the run fails and the next one bootstraps again")
  func failedCursor() throws {
    let rig = try bootstrapped { rig in rig.server.set { $0.latestCursor = .failure(SyncError(.timeout)) } }
    #expect(try rig.state.kind == .error)
    rig.server.set { $0.latestCursor = .success(8) }
    try rig.sync()
    #expect(try rig.state == .idle)
    #expect(try rig.run { try await $0.cursor() } == 8)
  }

  @Test("A-47: no store access happens after the notification")
  func notifiesLast() throws {
    let rig = try bootstrapped()
    #expect(rig.completions == [rig.stores.counts.operations])
    #expect(rig.recorded(SyncMetric.run).count == 1)
  }

  @Test(
    "A-69: a failing full fetch leaves all local rows and the cursor in place",
    arguments: ["event", "geofence"])
  func failedFetch(kind: String) throws {
    let rig = try bootstrapped { rig in
      try rig.seed("geofence", "old", ["name": "x"])
      rig.server.set { $0.failures = [kind: SyncError(.server, status: 500)] }
    }
    #expect(try rig.rows("geofence").map(\.key.id) == ["old"])
    #expect(try rig.storedCursor == .start)
    #expect(try rig.state.kind == .error)
  }

  @Test("10 of A.10: an owner that cannot be fetched makes the whole fail, and the next run does it all")
  func failedOwner() throws {
    let rig = try bootstrapped { rig in
      try rig.seed("propertyDefinition", "p0", ["eventTypeId": "t1", "key": "old"])
      rig.server.set { $0.failures = ["propertyDefinition": SyncError(.server, status: 500)] }
    }
    #expect(try rig.state.kind == .error)
    #expect(try rig.rows("propertyDefinition").map(\.key.id) == ["p0"])
    #expect(try rig.storedCursor == .start && rig.rows("eventType") == [])
    rig.server.set { $0.failures = [:] }
    try rig.sync()
    #expect(try rig.rows("propertyDefinition").map(\.key.id) == ["p1"] && rig.storedCursor == 700)
  }

  @Test("A-70: bootstrap keeps rows whose create is still queued")
  func keepsQueued() throws {
    let rig = try bootstrapped { rig in
      try rig.queue(.create, "geofence", "mine", ["name": "mine"])
      rig.server.set { $0.pushes = [SyncError(.http, status: 400)] }
    }
    #expect(try rig.rows("geofence").map(\.key.id) == ["g1", "mine"])
    #expect(try rig.pending == 1)
  }

  @Test("A-71: a change made on the server during bootstrap is present after the next pull")
  func changesMeanwhile() throws {
    let rig = try bootstrapped()
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [
              RemoteChange(
                entity: EntityKey(kind: "geofence", id: "g1"), operation: .update, members: ["name": "house"])
            ], cursor: 701, hasMore: false))
      ]
    }
    try rig.sync()
    #expect(rig.server.cursors == [700])
    #expect(try rig.row("geofence", "g1")?.members["name"] == "house")
  }

  @Test("upserts of a bootstrap leave out what is to be deleted")
  func noResurrection() throws {
    let rig = try bootstrapped { rig in
      try rig.queue(.delete, "geofence", "g1", [:])
      rig.server.set { $0.pushes = [SyncError(.http, status: 400)] }
    }
    #expect(try rig.rows("geofence") == [])
  }

  @Test("a forced resync waits for the active run, then cancels it, and fetches everything anew")
  func forcedResync() throws {
    let rig = try EngineRig(cursor: 5)
    rig.server.set {
      $0.delay = .seconds(50)
      $0.latestCursor = .success(9)
    }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(1))
    rig.start { await $0.forceFullResync() }
    rig.advance(by: .seconds(29))
    #expect(rig.server.calls == [.probe])
    rig.advance(by: .seconds(2))
    #expect(rig.server.calls == [.probe, .probe])
    rig.advance(by: .seconds(1000))
    #expect(rig.server.fetches == 3 && rig.server.cursors.isEmpty)
    #expect(try rig.run { try await $0.cursor() } == 9)
  }
}
