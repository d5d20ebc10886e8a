import Testing

@testable import Sync
@testable import SyncSimulation

/// An edit is settled by its own answer, never by a value that happens to be equal (docs/sync-engine.md, "Pull,
/// bootstrap and merge").
@Suite("Settling by identity")
struct SettlingTests {
  private let key = EntityKey(kind: "geofence", id: "g")

  private func edit(_ rig: EngineRig, _ isOn: Bool) throws {
    try rig.queue(.update, "geofence", "g", ["on": .bool(isOn)])
    try rig.sync()
  }

  private func change(_ isOn: Bool) -> RemoteChange {
    RemoteChange(entity: key, operation: .update, members: ["on": .bool(isOn)])
  }

  @Test func `An older equal value in the feed settles no edit`() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["on": false])
    try edit(rig, true)
    try edit(rig, false)
    rig.server.set {
      $0.pushes = [SyncError(httpStatus: 500)]
      $0.pages = [
        .success(ChangePage(changes: [self.change(true), self.change(false)], cursor: 2, hasMore: false))
      ]
    }
    try edit(rig, true)
    #expect(try rig.pending == 1)
    rig.advance(by: .seconds(60))
    #expect(rig.server.singles.map { $0.members["on"] } == [true, false, true, true])
    #expect(try rig.pending == 0 && rig.row("geofence", "g")?.members == ["on": true])
  }

  @Test(arguments: [Mutation.Operation.update, .delete])
  func `A feed entry settles the change whose key it carries, and no other`(operation: Mutation.Operation)
    throws
  {
    for isOwn in [true, false] {
      let rig = try EngineRig()
      try rig.seed("geofence", "g", ["on": false])
      try rig.queue(operation, "geofence", "g", operation == .delete ? [:] : ["on": true])
      let sent = try #require(try rig.mutations("geofence", "g").first)
      let entry = RemoteChange(
        entity: key, operation: operation, members: operation == .delete ? [:] : ["on": true],
        idempotencyKey: isOwn ? sent.idempotencyKey : "another")
      rig.server.set {
        $0.pushes = [SyncError(httpStatus: 500)]
        $0.pages = [.success(ChangePage(changes: [entry], cursor: 2, hasMore: false))]
      }
      try rig.sync()
      #expect(try rig.pending == (isOwn ? 0 : 1))
      #expect(try rig.row("geofence", "g")?.members == (operation == .delete ? nil : ["on": true]))
      rig.advance(by: .seconds(60))
      #expect(try rig.server.singles.count == (isOwn ? 1 : 2) && rig.pending == 0)
      #expect(rig.recorded(SyncMetric.conflict).isEmpty)
    }
  }

  @Test func `An equal create of another life settles no create`() throws {
    let rig = try EngineRig()
    rig.server.set {
      $0.pushes = [SyncError(httpStatus: 500)]
      $0.pages = [
        .success(
          ChangePage(
            changes: [RemoteChange(entity: self.key, operation: .create, members: ["on": true])], cursor: 2,
            hasMore: false))
      ]
    }
    try rig.queue(.create, "geofence", "g", ["on": true])
    try rig.sync()
    #expect(try rig.pending == 1)
    rig.advance(by: .seconds(60))
    #expect(rig.server.singles.count == 2)
    #expect(try rig.pending == 0 && rig.row("geofence", "g")?.status == .synced)
  }
}
