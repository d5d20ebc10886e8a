import Foundation
import Sync
import TestSupport
import Testing

@Suite("Places, ids and kinds of a store")
struct StoreIdentityTests {
  @Test
  func `A place is given once, whoever reads, saves or erases meanwhile`() throws {
    let factory = InMemorySyncStoreFactory(domain: .sample)
    let (one, other) = (factory.makeStore(), factory.makeStore())
    for id in ["0", "1", "2"] { _ = try one.enqueue(QueueSamples.mutation(id, .create, "event", id)) }
    let place = try #require(try one.nextMutations(after: nil, limit: 1).first?.position)
    _ = try other.enqueue(QueueSamples.mutation("o", .create, "event", "o"))
    try other.save()
    #expect(try one.nextMutations(after: place, limit: 9).map(\.mutation.id) == ["1", "2", "o"])
    let last = try #require(try one.nextMutations(after: nil, limit: 9).last?.position)
    try one.erase()
    for id in ["3", "4"] { _ = try one.enqueue(QueueSamples.mutation(id, .create, "event", id)) }
    #expect(try one.nextMutations(after: last, limit: 9).map(\.mutation.id) == ["3", "4"])
    #expect(one.rollback())
    _ = try one.enqueue(QueueSamples.mutation("5", .create, "event", "5"))
    #expect(try one.nextMutations(after: last, limit: 9).map(\.mutation.id) == ["5"])
  }

  @Test
  func `Ids and cursors that Swift calls equal are two, given up or not`() throws {
    let store = InMemorySyncStoreFactory(domain: .sample).makeStore()
    for id in ["\u{E9}", "e\u{301}"] {
      try store.bury(QueueSamples.mutation(id, .create, "event", "of \(id.utf8.count)"))
      try store.setCursor(SyncCursor(opaque: id))
    }
    #expect(try store.deadLetters().count == 2)
    _ = try store.enqueue(QueueSamples.mutation("e\u{301}", .create, "event", "new"))
    #expect(try store.deadLetters().map { Array($0.id.utf8) } == [Array("\u{E9}".utf8)])
    #expect(try store.cursor()?.text.map { Array($0.utf8) } == Array("e\u{301}".utf8))
  }

  @Test
  func `Of many mutations of one entity the oldest can be sent, in whatever order they go`() {
    var random = SeededGenerator(seed: 3)
    var queue = StoredQueue(domain: .sample)
    var model: [Int] = []
    for number in 0..<400 {
      if model.isEmpty || Int.random(in: 0..<5, using: &random) < (number < 200 ? 4 : 1) {
        queue.put(QueueSamples.mutation("\(number)", .update, "event", "one", sent: true))
        model.append(number)
      } else if let gone = model.randomElement(using: &random) {
        queue.remove("\(gone)")
        model.removeAll { $0 == gone }
      }
      #expect(queue.next(after: nil, limit: 9).map(\.mutation.id) == model.min().map { ["\($0)"] } ?? [])
    }
    #expect(queue.mutations(of: EntityKey(kind: "event", id: "one")).map(\.id) == model.map(String.init))
  }

  @Test
  func `Kinds that have changed with the app change the order of what waits, and the links`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync")
    let row = SyncEntity(key: EntityKey(kind: "b", id: "1"), members: ["parent": "p"])
    func domain(_ ranks: [Int], link: EntityKind.Link? = nil) -> SyncDomain {
      SyncDomain(kinds: [
        EntityKind(name: "a", rank: ranks[0]), EntityKind(name: "b", rank: ranks[1], link: link),
      ])
    }
    do {
      let store = try FileSyncStoreFactory(file: file, domain: domain([0, 1])).makeStore()
      for kind in ["b", "a"] { _ = try store.enqueue(QueueSamples.mutation(kind, .create, kind, "1")) }
      try store.upsert(row)
      #expect(try store.nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["a"])
      try store.save()
    }
    let changed = domain([1, 0], link: .init(member: "parent", kind: "a"))
    let store = try FileSyncStoreFactory(file: file, domain: changed).makeStore()
    #expect(try store.nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["b"])
    #expect(try store.entities(waitingFor: EntityKey(kind: "a", id: "p")) == [row])
  }
}
