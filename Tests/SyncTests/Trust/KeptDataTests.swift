import Foundation
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Rows, cursors and dead letters that must not be lost (ENGINES A.10, 7, 9 and 10).
@Suite("What must not be lost")
struct KeptDataTests {
  private let geofence = EntityKey(kind: "geofence", id: "g")

  /// Lets the change that waits be refused until it is a dead letter.
  private func bury(_ rig: EngineRig) throws -> Mutation {
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 5) }
    try rig.sync()
    rig.advance(by: .seconds(450))
    return try #require(try rig.run { try await $0.deadLetters() }.last)
  }

  @Test("3: a dead edit that comes back lies below the edits made since, on the server as in the row")
  func requeue() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "old", "radius": 1, "color": "red"])
    try rig.queue(.update, "geofence", "g", ["name": "A", "radius": 2])
    let letter = try bury(rig)
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    #expect(try rig.run { try await $0.requeueDeadLetter(letter.id) })
    try rig.sync()
    var server: [String: SyncValue] = [:]
    for item in rig.server.singles.suffix(from: 5) { server.merge(item.members) { $1 } }
    #expect(server == ["name": "B", "radius": 2])
    #expect(try rig.row("geofence", "g")?.members == ["name": "B", "radius": 2, "color": "red"])
    #expect(try rig.row("geofence", "g")?.status == .synced && rig.pending == 0)
    // A change that the server may know under the old key is not sent under it with other members.
    let keys = rig.server.singles.suffix(from: 5).map(\.idempotencyKey)
    #expect(!keys.contains(letter.idempotencyKey))
  }

  @Test("3: a dead create that comes back takes the edits in that wait")
  func requeuedCreate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A", "radius": 2])
    let letter = try bury(rig)
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    try rig.run { _ = try await $0.requeueDeadLetter(letter.id) }
    #expect(try rig.mutations("geofence", "g").map(\.operation) == [.create])
    try rig.sync()
    #expect(rig.server.singles.last?.members == ["name": "B", "radius": 2])
  }

  @Test("9 of A.10: a dead letter can be discarded: the row of a create goes, another one is as synced")
  func discard() throws {
    for operation in [Mutation.Operation.create, .update] {
      let rig = try EngineRig()
      if operation == .update { try rig.seed("geofence", "g", ["name": "old"]) }
      try rig.queue(operation, "geofence", "g")
      let letter = try bury(rig)
      #expect(try rig.row("geofence", "g")?.status == .failed)
      #expect(try rig.run { try await $0.discardDeadLetter(letter.id) })
      #expect(try rig.row("geofence", "g")?.status == (operation == .create ? nil : .synced))
      #expect(try rig.run { try await $0.deadLetters() } == [])
      #expect(try !rig.run { try await $0.discardDeadLetter(letter.id) })
    }
  }

  @Test("4: a bootstrap leaves the row of a dead create alone, and what it knows of an edited row is merged")
  func bootstrap() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "dead", ["name": "mine"])
    _ = try bury(rig)
    try rig.seed("geofence", "g", ["name": "old", "stale": true, "radius": 1])
    rig.server.set {
      $0.latestCursor = .success(9)
      $0.entities = ["geofence": [RemoteEntity(id: "g", members: ["name": "new", "radius": 5])]]
      $0.pushes = [SyncError(httpStatus: 400)]
    }
    try rig.queue(.update, "geofence", "g", ["name": "edited"])
    try rig.run { _ = await $0.forceFullResync() }
    #expect(try rig.row("geofence", "dead")?.members == ["name": "mine"])
    #expect(try rig.row("geofence", "dead")?.status == .failed)
    #expect(try rig.row("geofence", "g")?.members == ["name": "edited", "radius": 5])
    #expect(try rig.row("geofence", "g")?.status == .pending)
  }

  @Test("10 of A.10: a kind that is new to the app is fetched on its own; the cursor stays")
  func newKind() throws {
    let rig = try EngineRig(cursor: 5)
    try rig.run { engine in
      try await engine.protectedWrite { store in
        try store.setFetchedKinds(["eventType", "event", "propertyDefinition"])
        try store.save()
      }
    }
    try rig.run { await $0.resetStore() }
    rig.server.set { $0.entities = ["geofence": [RemoteEntity(id: "g", members: ["name": "home"])]] }
    try rig.seed("event", "e")
    try rig.sync()
    #expect(rig.server.calls.filter { $0 == .entities(kind: "geofence", owner: nil) }.count == 1)
    #expect(rig.server.fetches == 1)
    #expect(try rig.rows("geofence").map(\.key.id) == ["g"] && rig.rows("event").map(\.key.id) == ["e"])
    #expect(try rig.storedCursor == 5)
    try rig.sync()
    #expect(rig.server.cursors == [5])
  }

  @Test(
    "2: rows without a cursor do not pass for a synced store: a store that is gone, cut or damaged is fetched anew"
  )
  func damage() throws {
    for harm in ["gone", "cut", "bit"] {
      let folder = try TemporaryFolder()
      let file = folder.url.appendingPathComponent("sync.log")
      let factory = FileSyncStoreFactory(file: file, domain: .sample)
      do {
        let store = try factory.makeStore()
        for number in 0..<20 {
          try store.upsert(SyncEntity(key: EntityKey(kind: "geofence", id: "g\(number)"), members: ["n": 1]))
          try store.save()
        }
        try store.setCursor(100)
        try store.save()
      }
      var bytes = try Data(contentsOf: file)
      switch harm {
      case "gone": try FileManager.default.removeItem(at: file)
      case "cut": try bytes.prefix(bytes.count - 3).write(to: file)
      default:
        // The row of the cursor, wherever it is.
        let name = try #require(bytes.range(of: Data("cursor".utf8)))
        bytes[name.lowerBound] ^= 4
        try bytes.write(to: file)
      }
      let rig = try EngineRig(
        cursor: .start, stores: CountingStoreFactory(InMemorySyncStoreFactory(domain: .sample)))
      let server = rig.server
      server.set { $0.latestCursor = .success(100) }
      var environment = SyncEnvironment(
        domain: .sample, backend: server, stores: factory, preferences: InMemoryPreferences())
      environment.clock = rig.clock
      environment.tasks = rig.tasks
      let engine = SyncEngine(environment)
      _ = rig.tasks.start { _ = await engine.requestSync() }
      rig.settle()
      #expect(server.cursors == [] && server.fetches > 0, "\(harm)")
    }
  }

  @Test("12: a delete that is cleared, or dies, brings its row back")
  func clearedDelete() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "home"])
    try rig.queue(.delete, "geofence", "g", [:])
    #expect(try rig.row("geofence", "g") == nil)
    try rig.run { _ = try await $0.clearPending() }
    #expect(try rig.row("geofence", "g")?.members == ["name": "home"])
    try rig.queue(.delete, "geofence", "g", [:])
    _ = try bury(rig)
    #expect(try rig.row("geofence", "g")?.members == ["name": "home"])
    #expect(rig.server.singles.allSatisfy { $0.members.isEmpty })
  }

  @Test("12: an id in NFC and in NFD are two entities")
  func normalForms() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", composed, ["name": "one"])
    try rig.queue(.create, "geofence", decomposed, ["name": "two"])
    #expect(try rig.pending == 2)
    try rig.sync()
    #expect(rig.server.singles.count == 2)
    #expect(try rig.rows("geofence").map { $0.members["name"] } == ["two", "one"])
  }

  @Test("14a: a cursor that the server no longer knows leads to a bootstrap in the same run")
  func expiredCursor() throws {
    for error in [SyncError(.cursorExpired), SyncError(httpStatus: 410)] {
      let rig = try EngineRig(cursor: SyncCursor(opaque: "abc"))
      rig.server.set {
        $0.pages = [.failure(error)]
        $0.latestCursor = .success(SyncCursor(opaque: "def"))
        $0.entities = ["geofence": [RemoteEntity(id: "g", members: [:])]]
      }
      try rig.sync()
      #expect(try rig.storedCursor == SyncCursor(opaque: "def") && rig.rows("geofence").count == 1)
      #expect(rig.recorded(SyncMetric.run).map(\.status) == [.success])
    }
  }

  @Test("11: what a save that is refused had changed is taken back, and the handle stays")
  func rollback() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let store = InMemorySyncStoreFactory(domain: .sample).makeStore()
      for _ in 0..<30 { try change(store, &random) }
      try store.save()
      let before = try StoreState(store)
      for _ in 0..<20 { try change(store, &random) }
      #expect(store.rollback())
      #expect(try StoreState(store) == before)
    }
  }

  private func change(_ store: any SyncStore, _ random: inout SeededGenerator) throws {
    let number = Int.random(in: 0..<24, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: _ = try store.removeAllMutations()
    case 1: try store.removeDeadLetter("\(number / 4)")
    case 2: try store.removeQuarantine(of: "event")
    case 3: try store.removeQuarantine(of: EntityKey(kind: "event", id: "\(number / 4)"))
    case 4: try store.setCursor(SyncCursor(Int64(number)))
    case 5: try store.setFetchedKinds(["\(number)"])
    case 6: try store.removeMutation("\(number / 4)")
    default: try StoreScript.change(store, number)
    }
  }
}
