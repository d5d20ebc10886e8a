import TestSupport
import Testing

@testable import Sync

@Suite("Rows and changes as packed bytes")
struct PackedStoreTests {
  /// The required content of a record.
  private struct Expected: Equatable {
    var content: [UInt8]
    var word: UInt64
  }

  private static func bytes(using random: inout SeededGenerator) -> [UInt8] {
    // Most are small, some have a block for themselves.
    let most = Int.random(in: 0..<40, using: &random) == 0 ? 600_000 : 2_000
    return Array(
      repeating: UInt8.random(in: 0...255, using: &random), count: Int.random(in: 0..<most, using: &random))
  }

  private static func differ(_ records: PackedRecords, _ model: [PackedRecords.Slot: Expected]) -> Bool {
    Set(records.slots) != Set(model.keys)
      || model.contains { slot, expected in
        records[word: slot] != expected.word
          || !records.content(slot).prefix(expected.content.count).elementsEqual(expected.content)
      }
  }

  @Test(arguments: 1...UInt64(trials(1, long: 4)))
  func `Records hold what was written last, wherever they have moved`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var records = PackedRecords()
    var model: [PackedRecords.Slot: Expected] = [:]
    var slots: [PackedRecords.Slot] = []
    for step in 0..<6_000 {
      // It grows, shrinks to nothing, and grows again.
      let isGrowing = step % 3_000 < 1_500
      let place = slots.indices.randomElement(using: &random)
      let slot = place.map { slots[$0] }
      switch (Int.random(in: 0..<10, using: &random), slot) {
      case (0...2, let slot?):
        let content = Self.bytes(using: &random)
        records.replace(slot, by: content)
        model[slot]?.content = content
      case (3, let slot?):
        let word = UInt64.random(in: 0 ... .max, using: &random)
        records[word: slot] = word
        model[slot]?.word = word
      case (4...8, let slot?) where !isGrowing:
        records.remove(slot)
        model[slot] = nil
        slots.removeAll { $0 == slot }
      default:
        guard isGrowing else { continue }
        let new = Expected(content: Self.bytes(using: &random), word: UInt64(step))
        let slot = records.insert(new.content, word: new.word)
        slots.append(slot)
        #expect(model.updateValue(new, forKey: slot) == nil)
      }
      if step % 1_000 == 999 { #expect(!Self.differ(records, model)) }
    }
    #expect(!Self.differ(records, model))
  }

  @Test
  func `A copy keeps what it had`() {
    var records = PackedRecords()
    let slot = records.insert([1, 2, 3], word: 4)
    let copy = records
    records.replace(slot, by: [9])
    records[word: slot] = 5
    #expect(copy.content(slot).elementsEqual([1, 2, 3]))
    #expect(copy[word: slot] == 4)
  }

  @Test(arguments: [1, 7, 1 << 16] as [UInt32])
  func `An index finds all slots of a hash, however many there are`(_ hashes: UInt32) {
    var random = SeededGenerator(seed: UInt64(hashes))
    var index = PackedIndex()
    var model: [UInt32: Set<PackedRecords.Slot>] = [:]
    // The same low bits for all: they lie in one row of places.
    func hash(_ slot: PackedRecords.Slot) -> UInt32 { (slot % hashes) << 16 | 0xFFFF }
    for step in 0..<3_000 {
      let slot = PackedRecords.Slot.random(in: 0..<400, using: &random)
      if model[hash(slot), default: []].insert(slot).inserted {
        index.insert(slot, hash: hash(slot))
      } else if step % 3 > 0 {
        index.remove(slot, hash: hash(slot))
        model[hash(slot)]?.remove(slot)
      }
      let known = model[hash(slot), default: []]
      #expect((index.first(hash: hash(slot)) { $0 == slot } == slot) == known.contains(slot))
      #expect(index.count == model.values.reduce(0) { $0 + $1.count })
    }
    for (hash, slots) in model {
      for slot in slots {
        #expect(index.first(hash: hash) { $0 == slot } == slot)
        index.remove(slot, hash: hash)
      }
      #expect(index.first(hash: hash) { _ in true } == nil)
    }
    #expect(index.count == 0)
  }

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
  func `Of many mutations of one entity the oldest can be sent, in whatever order they come and go`() {
    var random = SeededGenerator(seed: 3)
    var queue = MutationQueue(domain: .sample)
    var model: [Int] = []
    for step in 0..<2_000 {
      if model.isEmpty || Int.random(in: 0..<5, using: &random) < (step < 1_000 ? 4 : 1) {
        let sequence = Int.random(in: 0..<1_000_000, using: &random)
        guard !model.contains(sequence) else { continue }
        queue.restore(
          QueueSamples.mutation("\(sequence)", .update, "event", "one", sent: true), sequence: sequence)
        model.append(sequence)
      } else if let gone = model.randomElement(using: &random) {
        queue.remove("\(gone)")
        model.removeAll { $0 == gone }
      }
      #expect(queue.next(after: nil, limit: 9).map(\.position.sequence) == model.min().map { [$0] } ?? [])
    }
    let entity = EntityKey(kind: "event", id: "one")
    #expect(queue.mutations(of: entity).map(\.id) == model.sorted().map(String.init))
  }

  @Test
  func `A row leaves the list of those that wait, from any place in it`() {
    let target = EntityKey(kind: "eventType", id: "walk")
    func row(_ id: Int, linked: Bool = false) -> SyncEntity {
      SyncEntity(
        key: EntityKey(kind: "event", id: "\(id)"), members: ["eventTypeId": "walk"],
        linkedTo: linked ? "walk" : nil)
    }
    for leaving in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
      var rows = StoredRows(link: .init(member: "eventTypeId", kind: "eventType"))
      for id in 0..<4 { rows.set(row(id)) }
      var waiting = Set(0..<4)
      for id in leaving {
        if id % 2 == 0 { rows.set(row(id, linked: true)) } else { rows.remove(row(id).key) }
        waiting.remove(id)
        #expect(Set(rows.rows(waitingFor: target).map(\.key.id)) == Set(waiting.map(String.init)))
      }
      #expect(rows.count == 2)
      rows.set(row(0))
      #expect(rows.rows(waitingFor: target) == [row(0)])
    }
  }
}
