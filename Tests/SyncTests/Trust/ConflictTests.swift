import Foundation
import Testing

@testable import Sync
@testable import SyncSimulation

/// A local change and a remote one want different things (docs/sync-engine.md, "Conflicts").
@Suite("Conflicts")
struct ConflictTests {
  private let key = EntityKey(kind: "geofence", id: "g")

  /// Answers every conflict alike.
  private struct Always: ConflictResolver {
    let resolution: ConflictResolution
    func resolve(_ conflict: SyncConflict) -> ConflictResolution { resolution }
  }

  private func makeRig(_ resolution: ConflictResolution? = nil, version: String? = "1") throws -> EngineRig {
    let rig = try EngineRig(conflicts: resolution.map(Always.init) ?? LocalMembersWin())
    let (key, basis) = (key, ServerBasis(version: version))
    try rig.run { engine in
      try await engine.protectedWrite { store in
        try store.upsert(SyncEntity(key: key, members: ["name": "old", "radius": 1], basis: basis))
        try store.save()
      }
    }
    return rig
  }

  private func refusal(_ members: [String: SyncValue], _ version: String) -> SyncError {
    SyncError(httpStatus: 412, current: RemoteEntity(id: "g", members: members, version: version))
  }

  private func feed(_ rig: EngineRig, _ changes: [RemoteChange]) {
    rig.server.set { $0.pages = [.success(ChangePage(changes: changes, cursor: 2, hasMore: false))] }
  }

  @Test("an edit names the version that it was made on, and the next one that of the answer")
  func baseVersions() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    rig.server.set {
      $0.answers = [
        RemoteEntity(id: "g", members: ["name": "mine", "radius": 1, "by": "server"], version: "2")
      ]
    }
    try rig.sync()
    #expect(rig.server.singles.map(\.baseVersion) == ["1"])
    #expect(try rig.row("geofence", "g")?.members == ["name": "mine", "radius": 1, "by": "server"])
    try rig.queue(.delete, "geofence", "g", [:])
    try rig.sync()
    #expect(rig.server.singles.map(\.baseVersion) == ["1", "2"])
  }

  @Test("412: what was not edited on both sides is merged and sent again at once, and nobody has to decide")
  func disjoint() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    rig.server.set { $0.pushes = [self.refusal(["name": "old", "radius": 5], "2")] }
    try rig.sync()
    #expect(rig.server.singles.map(\.baseVersion) == ["1", "2"])
    #expect(Set(rig.server.singles.map(\.idempotencyKey)).count == 2)
    #expect(try rig.row("geofence", "g")?.members == ["name": "mine", "radius": 5])
    #expect(rig.recorded(SyncMetric.conflict).isEmpty)
    #expect(rig.recorded(SyncMetric.transition).contains { $0.rule == "7c" && $0.httpStatus == 412 })
    #expect(try rig.pending == 0 && rig.row("geofence", "g")?.status == .synced)
  }

  @Test("412: of a member that both have edited the resolver decides, and it is told")
  func decided() throws {
    for (resolution, name) in [
      (ConflictResolution.keepLocal, SyncValue.string("mine")), (.takeRemote, "theirs"),
      (.merge(["name": "both"]), "both"),
    ] {
      let rig = try makeRig(resolution)
      try rig.queue(.update, "geofence", "g", ["name": "mine"])
      rig.server.set { $0.pushes = [self.refusal(["name": "theirs", "radius": 1], "2")] }
      try rig.sync()
      #expect(try rig.row("geofence", "g")?.members["name"] == name)
      let sent = rig.server.singles.dropFirst().map(\.members)
      #expect(sent == (resolution == .takeRemote ? [] : [["name": name]]))
      #expect(rig.recorded(SyncMetric.conflict).map(\.cause) == ["refusedEdit"])
      #expect(rig.recorded(SyncMetric.conflict).map(\.members) == ["name"])
      #expect(try rig.pending == 0)
    }
  }

  @Test("412 without a newer version is a failure like any other: the server must not keep a run busy")
  func noNews() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    rig.server.set { $0.pushes = Array(repeating: self.refusal(["name": "theirs"], "1"), count: 9) }
    try rig.sync()
    #expect(try rig.mutations("geofence", "g").map(\.attempts) == [1])
    let endless = try makeRig()
    try endless.queue(.update, "geofence", "g", ["name": "mine"])
    endless.server.set { $0.pushes = (2..<90).map { self.refusal(["name": "old"], "\($0)") } }
    try endless.sync()
    #expect(endless.server.singles.count == 4)
    #expect(try endless.mutations("geofence", "g").map(\.attempts) == [1])
  }

  @Test("the feed: an edit of what is edited here is decided, what else it says lies beneath")
  func remoteEdit() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    rig.server.set { $0.pushes = [SyncError(httpStatus: 500)] }
    feed(
      rig,
      [RemoteChange(entity: key, operation: .update, members: ["name": "theirs", "radius": 7], version: "2")])
    try rig.sync()
    #expect(try rig.row("geofence", "g")?.members == ["name": "mine", "radius": 7])
    #expect(rig.recorded(SyncMetric.conflict).map(\.cause) == ["remoteEdit"])
    rig.advance(by: .seconds(31))
    #expect(rig.server.singles.map(\.baseVersion) == ["1", "2"])
    #expect(try rig.row("geofence", "g")?.status == .synced)
  }

  @Test("the feed: a delete wins over an older edit, a newer edit makes the entity anew; both are told")
  func remoteDelete() throws {
    for isOlder in [true, false] {
      let rig = try makeRig()
      rig.advance(by: .seconds(100))
      try rig.queue(.update, "geofence", "g", ["name": "mine"])
      rig.server.set { $0.pushes = [SyncError(httpStatus: 404)] }
      let time = rig.clock.wallTime.addingTimeInterval(isOlder ? 5 : -5)
      feed(rig, [RemoteChange(entity: key, operation: .delete, members: [:], version: "2", time: time)])
      try rig.sync()
      #expect(rig.recorded(SyncMetric.conflict).map(\.resolution) == [isOlder ? "takeRemote" : "keepLocal"])
      if isOlder {
        #expect(try rig.row("geofence", "g") == nil && rig.pending == 0)
      } else {
        try rig.sync()
        #expect(rig.server.singles.last?.operation == .create)
        #expect(rig.server.singles.last?.members == ["name": "mine", "radius": 1])
        #expect(try rig.row("geofence", "g")?.status == .synced)
      }
    }
  }

  @Test("a delete here and an edit there: told, the delete goes on, on the new version")
  func localDelete() throws {
    let rig = try makeRig()
    try rig.queue(.delete, "geofence", "g", [:])
    rig.server.set { $0.pushes = [self.refusal(["name": "theirs"], "2")] }
    try rig.sync()
    #expect(rig.server.singles.map(\.baseVersion) == ["1", "2"])
    #expect(rig.recorded(SyncMetric.conflict).map(\.cause) == ["refusedDelete"])
    let kept = try makeRig(.takeRemote)
    try kept.queue(.delete, "geofence", "g", [:])
    kept.server.set { $0.pushes = [self.refusal(["name": "theirs"], "2")] }
    try kept.sync()
    #expect(try kept.row("geofence", "g")?.members == ["name": "theirs"] && kept.pending == 0)
  }

  @Test("what comes back of our own changes is no conflict")
  func echo() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "first"])
    rig.server.set {
      $0.answers = [RemoteEntity(id: "g", members: ["name": "first", "radius": 1], version: "2")]
    }
    rig.server.set { $0.delay = .seconds(1) }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(2.5))
    rig.start { [key] in _ = try await $0.queueMutation(.update, of: key, members: ["name": "second"]) }
    feed(rig, [RemoteChange(entity: key, operation: .update, members: ["name": "first"], version: "2")])
    rig.advance(by: .seconds(60))
    #expect(rig.recorded(SyncMetric.conflict).isEmpty)
    #expect(try rig.row("geofence", "g")?.members["name"] == "second")
  }

  @Test("a discarded edit gives the server's values back")
  func discard() throws {
    let rig = try makeRig()
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 5) }
    try rig.sync()
    rig.advance(by: .seconds(450))
    let letter = try #require(try rig.run { try await $0.deadLetters() }.first)
    #expect(try rig.run { try await $0.discardDeadLetter(letter.id) })
    #expect(try rig.row("geofence", "g")?.members == ["name": "old", "radius": 1])
    #expect(try rig.row("geofence", "g")?.status == .synced)
  }
}
