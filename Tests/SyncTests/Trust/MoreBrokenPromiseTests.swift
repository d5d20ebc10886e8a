import Codecs
import Foundation
import Platform
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Findings of a review of the engine, as tests; each was red before it was mended.
@Suite("More promises that a reviewer broke")
struct MoreBrokenPromiseTests {
  private let g = EntityKey(kind: "geofence", id: "g")

  @Test("a save that fails once in a run leaves the change to the next try")
  func storeFailsOnce() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    try rig.queue(.create, "geofence", "g")
    rig.stores.fail(.init(saves: 1))
    rig.advance(by: .seconds(7200))
    #expect(try rig.pending == 0)
  }

  @Test("a reset while the disk is busy leaves nobody without the store")
  func resetInUse() throws {
    let disk = try HeldDisk()
    let first = disk.queue("1")
    disk.start { await $0.resetStore() }
    let asked = disk.start { _ = try await $0.pendingCount() }
    #expect(asked.isDone && asked.error == nil && !first.isDone)
    disk.release()
    #expect(first.isDone && first.error == nil)
    let again = disk.start { _ = try await $0.pendingCount() }
    #expect(again.isDone && again.error == nil)
  }

  @Test("a new life of an entity ends with its remote delete, though a bootstrap came between")
  func phantomAfterBootstrap() throws {
    let rig = try EngineRig()
    let key = g
    try rig.run { engine in
      try await engine.protectedWrite { store in
        try store.upsert(SyncEntity(key: key, members: ["name": "old"], basis: ServerBasis(version: "1")))
        try store.save()
      }
    }
    try rig.queue(.delete, "geofence", "g", [:])
    try rig.queue(.create, "geofence", "g", ["name": "new"])
    // The delete is taken; the feed is gone, and the first try to fetch everything fails.
    rig.server.set {
      $0.pages = [.failure(SyncError(.cursorExpired))]
      $0.failures = ["geofence": SyncError(httpStatus: 500)]
    }
    try rig.sync()
    // The create is taken, and everything is fetched.
    rig.server.set {
      $0.answers = [RemoteEntity(id: "g", members: ["name": "new"], version: "5")]
      $0.failures = [:]
      $0.latestCursor = .success(9)
      $0.entities = ["geofence": [RemoteEntity(id: "g", members: ["name": "new"], version: "5")]]
    }
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.storedCursor == 9)
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [RemoteChange(entity: key, operation: .delete, members: [:])], cursor: 10, hasMore: false
          ))
      ]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g") == nil)
  }

  @Test("what depends on a create that comes after it in its lane follows by itself")
  func childBeforeParent() throws {
    let rig = try EngineRig()
    let domain = SyncDomain(kinds: [
      EntityKind(name: "note", rank: 0, link: .init(member: "parent", kind: "note"))
    ])
    var environment = SyncEnvironment(
      domain: domain, backend: rig.server, stores: InMemorySyncStoreFactory(domain: domain),
      preferences: InMemoryPreferences())
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    let engine = SyncEngine(environment)
    rig.start { _ in
      _ = try await engine.queueMutation(
        .create, of: EntityKey(kind: "note", id: "child"), members: ["parent": "top"])
      _ = try await engine.queueMutation(.create, of: EntityKey(kind: "note", id: "top"), members: ["a": 1])
    }
    rig.advance(by: .seconds(7200))
    #expect(rig.server.singles.map(\.entity.id) == ["top", "child"])
  }

  @Test("a create that is requeued beside another one of its entity loses no member without a word")
  func requeueBehindCreate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A", "note": "long text"])
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422, detail: "no"), count: 5) }
    for _ in 0..<5 {
      try rig.sync()
      rig.advance(by: .seconds(3600))
    }
    try rig.queue(.create, "geofence", "g", ["name": "B"])
    rig.server.set { $0.pushes = [SyncError(httpStatus: 500)] }
    try rig.sync()
    let id = try rig.run { try await $0.deadLetters() }.first?.id ?? ""
    try rig.run { _ = try await $0.requeueDeadLetter(id) }
    let row = try rig.row("geofence", "g")
    #expect(row?.members["note"] == "long text")
    let dead = try rig.run { try await $0.deadLetters() }
    #expect(try !(dead.isEmpty && rig.mutations("geofence", "g").count == 1))
  }

  @Test("a second stop returns when the store is closed, as the first one does")
  func stopTwice() throws {
    let disk = try HeldDisk()
    let queued = disk.queue("1")
    let stops = (0..<2).map { _ in disk.start { await $0.stop() } }
    #expect(!queued.isDone && !stops.contains(where: \.isDone))
    disk.release()
    #expect(queued.isDone && queued.error == nil && stops.allSatisfy(\.isDone))
  }

  @Test(
    "a create that the server took while it answered 500 is requeued under its key, the later edit behind it")
  func requeueTaken() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A"])
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 500), count: 5) }
    for _ in 0..<5 {
      try rig.sync()
      rig.advance(by: .seconds(3600))
    }
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    let id = try rig.run { try await $0.deadLetters() }.first?.id ?? ""
    try rig.run { _ = try await $0.requeueDeadLetter(id) }
    // The server has it, as A; it knows the old key, not a new one.
    rig.server.set { $0.pushes = [SyncError(httpStatus: 409)] }
    try rig.sync()
    try rig.sync()
    #expect(try rig.row("geofence", "g")?.members == ["name": "B"])
    // B waits, or was sent as an edit.
    #expect(
      try rig.pending == 1
        || rig.server.singles.contains { $0.operation == .update && $0.members == ["name": "B"] })
  }
}
