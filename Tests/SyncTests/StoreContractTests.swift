import Foundation
import Sync
import TestSupport
import Testing

@Suite("What every store promises")
struct StoreContractTests {
  private typealias Samples = QueueSamples

  /// The stores that there are.
  enum Kind: CaseIterable {
    case memory, file, committedFile

    /// A factory with an empty disk; the folder has to live as long as it.
    func makeFactory() throws -> (factory: CountingStoreFactory, folder: TemporaryFolder) {
      let folder = try TemporaryFolder()
      let file = folder.url.appendingPathComponent("of/its/own/sync.log")
      let base: any SyncStoreFactory =
        switch self {
        case .memory: InMemorySyncStoreFactory(domain: .sample)
        case .file: FileSyncStoreFactory(file: file, domain: .sample)
        case .committedFile: FileSyncStoreFactory(file: file, domain: .sample, durability: .commit)
        }
      return (CountingStoreFactory(base), folder)
    }
  }

  private func row(_ id: String, _ status: SyncEntity.Status = .pending, kind: String = "event") -> SyncEntity
  {
    SyncEntity(key: EntityKey(kind: kind, id: id), members: ["name": .string(id)], status: status)
  }

  @Test(arguments: Kind.allCases)
  func `A-60 What was saved is there at the next opening, what was not is gone with the handle`(_ kind: Kind)
    throws
  {
    let (factory, folder) = try kind.makeFactory()
    try withExtendedLifetime(folder) {
      do {
        let store = try factory.makeStore()
        _ = try store.enqueue(Samples.mutation("saved", .create))
        try store.upsert(row("e1"))
        try store.save()
        _ = try store.enqueue(Samples.mutation("unsaved", .create, "event", "e2"))
        try store.removeMutation("saved")
        try store.removeEntity(EntityKey(kind: "event", id: "e1"))
        try store.bury(Samples.mutation("unsaved", .create, "event", "e2"))
        #expect(try store.pendingCount() == 0)
        #expect(try store.deadLetters().count == 1)
      }
      let store = try factory.makeStore()
      #expect(try store.mutation("saved") == Samples.mutation("saved", .create))
      #expect(try store.mutation("unsaved") == nil)
      #expect(try store.entities(of: "event") == [row("e1")])
      #expect(try store.deadLetters() == [])
      #expect(factory.counts.saves == 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func `Everything that can be written is there at the next opening`(_ kind: Kind) throws {
    let (factory, folder) = try kind.makeFactory()
    try withExtendedLifetime(folder) {
      var counted = Samples.mutation("m2", .create, "geofence", "g", sent: true, attempts: 3)
      (counted.lastError, counted.batchLimit) = ("no\nway \u{0}é", 12)
      counted.lastAttempt = Date(timeIntervalSince1970: -1e12)
      var linked = row("b", .failed)
      linked.linkedTo = "t"
      linked.members = [
        "list": .array([.null, .bool(true), .int(.min), .double(-0.5)]), "object": .object(["é": "x"]),
      ]
      let change = RemoteChange(
        entity: EntityKey(kind: "alien", id: ""), operation: .update, members: ["a": .null])
      do {
        let store = try factory.makeStore()
        for id in ["m1", "m2", "m3"] {
          _ = try store.enqueue(Samples.mutation(id, .create, "geofence", id == "m2" ? "g" : id))
        }
        try store.update(counted)
        try store.bury(Samples.mutation("m1", .create, "geofence", "m1", attempts: 5))
        for row in [linked, row("a"), row("t", .synced, kind: "eventType")] { try store.upsert(row) }
        try store.addToQuarantine(change)
        try store.save()
      }
      let store = try factory.makeStore()
      #expect(try store.nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["m2", "m3"])
      #expect(try store.mutation("m2") == counted)
      #expect(try store.deadLetters() == [Samples.mutation("m1", .create, "geofence", "m1", attempts: 5)])
      #expect(try store.entities(of: "event") == [row("a"), linked])
      #expect(try store.unqueuedPendingEntities() == [row("a")])
      #expect(try store.quarantine() == [change])
    }
  }

  @Test(arguments: Kind.allCases)
  func `The sweep finds rows that are pending while nothing of them waits`(_ kind: Kind) throws {
    let (factory, folder) = try kind.makeFactory()
    try withExtendedLifetime(folder) {
      let store = try factory.makeStore()
      for row in [row("b"), row("a"), row("c", .synced), row("d", .failed), row("a", kind: "alien")] {
        try store.upsert(row)
      }
      #expect(try store.unqueuedPendingEntities().map(\.key.kind) == ["alien", "event", "event"])
      #expect(try store.unqueuedPendingEntities().map(\.key.id) == ["a", "a", "b"])
      _ = try store.enqueue(Samples.mutation("1", .create, "event", "a"))
      _ = try store.enqueue(Samples.mutation("2", .update, "event", "c"))
      #expect(try store.unqueuedPendingEntities().map(\.key.kind) == ["alien", "event"])
      try store.upsert(row("c"))
      #expect(try store.unqueuedPendingEntities().count == 2)
      #expect(try store.removeAllMutations().map(\.id) == ["1", "2"])
      #expect(try store.unqueuedPendingEntities().map(\.key.id) == ["a", "a", "b", "c"])
      try store.removeEntity(row("b").key)
      try store.upsert(row("c", .synced))
      #expect(try store.unqueuedPendingEntities().map(\.key.id) == ["a", "a"])
    }
  }

  @Test(arguments: Kind.allCases)
  func `What is gone is gone without a word`(_ kind: Kind) throws {
    let (factory, folder) = try kind.makeFactory()
    try withExtendedLifetime(folder) {
      let store = try factory.makeStore()
      try store.update(Samples.mutation("none", .create))
      try store.removeMutation("none")
      try store.removeDeadLetter("none")
      try store.removeEntity(EntityKey(kind: "event", id: "none"))
      try store.save()
      #expect(try store.pendingCount() == 0)
      #expect(try store.entity(EntityKey(kind: "event", id: "none")) == nil)
      #expect(try store.mutations(of: EntityKey(kind: "event", id: "none")) == [])
    }
  }

  @Test(arguments: Kind.allCases)
  func `Dead letters are told oldest first and forgotten one by one`(_ kind: Kind) throws {
    let (factory, folder) = try kind.makeFactory()
    try withExtendedLifetime(folder) {
      do {
        let store = try factory.makeStore()
        for id in ["c", "a", "b"] { try store.bury(Samples.mutation(id, .create, "event", id)) }
        try store.bury(Samples.mutation("c", .create, "event", "c", attempts: 5))
        try store.removeDeadLetter("a")
        try store.save()
      }
      let store = try factory.makeStore()
      #expect(try store.deadLetters().map(\.id) == ["c", "b"])
      #expect(try store.deadLetters().map(\.attempts) == [5, 0])
    }
  }

  @Test
  func `Two handles on one memory see each other's saved changes at the next opening, and nothing breaks`()
    throws
  {
    let factory = InMemorySyncStoreFactory(domain: .sample)
    let (one, other) = (factory.makeStore(), factory.makeStore())
    _ = try one.enqueue(Samples.mutation("1", .create, "event", "a"))
    _ = try other.enqueue(Samples.mutation("2", .create, "event", "b"))
    #expect(try other.pendingCount() == 1)
    try one.save()
    try other.save()
    #expect(try factory.makeStore().nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["1", "2"])
  }
}
