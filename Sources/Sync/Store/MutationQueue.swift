/// The mutations that wait for the server, by the queue rules of docs/sync-engine.md.
///
/// A mutation may be sent when it is the oldest of its entity; the others wait behind it, so that none overtakes. The
/// order of creation is the order of adding: the wall clock that stamps a mutation may jump.
///
/// ```swift
/// var queue = MutationQueue(domain: .sample)
/// queue.enqueue(create)                                // [.added(create)]
/// let batch = queue.next(after: nil, limit: 50)        // of one kind and one operation
/// queue.remove(batch[0].mutation.id)                   // acknowledged
/// ```
///
/// No operation's cost grows with the number of mutations that wait for other entities, but for those that return all.
/// They are kept as the bytes that the log has of them: a million of them are to fit into a phone's memory.
package struct MutationQueue: Sendable {
  /// The number that the next mutation gets.
  package private(set) var nextSequence = 0

  /// The word of a record is the mutation's number in the order of creation.
  private var records = PackedRecords()
  private var byID = PackedIndex()
  /// The oldest mutation of each entity.
  private var byEntity = PackedIndex()
  /// Those behind it, oldest first, where there are some: nearly always there is one alone.
  private var others: [EntityKey: [PackedRecords.Slot]] = [:]
  private var lanes: PushLanes

  /// An empty queue that knows the ranks of a domain.
  package init(domain: SyncDomain) {
    lanes = PushLanes(domain: domain)
  }

  /// How many mutations wait.
  package var count: Int { byID.count }

  /// The waiting mutation of that id.
  package subscript(_ id: String) -> Mutation? { slot(of: id).flatMap { mutation(at: $0) } }

  /// The number of a waiting mutation in the order of creation.
  package func sequence(of id: String) -> Int? { slot(of: id).map { sequence(at: $0) } }

  /// True if a mutation of that entity waits.
  package func contains(_ entity: EntityKey) -> Bool {
    head(of: entity) != nil
  }

  /// All waiting mutations of one entity, oldest first.
  package func mutations(of entity: EntityKey) -> [Mutation] {
    slots(of: entity).compactMap { mutation(at: $0) }
  }

  /// All waiting mutations in order of creation, with their numbers; each is read when it is asked for.
  package var all: some Collection<(mutation: Mutation, sequence: Int)> {
    let slots = records.slots.map { (slot: $0, sequence: sequence(at: $0)) }.sorted {
      $0.sequence < $1.sequence
    }
    return slots.lazy.compactMap { entry in mutation(at: entry.slot).map { ($0, entry.sequence) } }
  }

  /// The next mutations of one lane, in push order; see ``SyncStore/nextMutations(after:limit:)``.
  package func next(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    guard let (lane, found) = lanes.next(after: position, limit: limit) else { return [] }
    return found.compactMap { entry in
      mutation(at: entry.slot).map {
        QueuedMutation(mutation: $0, position: QueuePosition(lane: lane, sequence: entry.sequence))
      }
    }
  }

  /// The effects of adding a change, without doing it; see ``QueueRules``.
  package func changes(adding mutation: Mutation) -> [QueueChange] {
    slot(of: mutation.id) == nil
      ? QueueRules.changes(adding: mutation, to: mutations(of: mutation.entity)) : [.ignored(mutation)]
  }

  /// Adds a change by the rules, and says what that did.
  @discardableResult
  package mutating func enqueue(_ mutation: Mutation) -> [QueueChange] {
    let changes = changes(adding: mutation)
    for change in changes {
      switch change {
      case .added(let mutation), .replaced(let mutation): put(mutation)
      case .removed(let mutation): remove(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  /// Writes a mutation whatever the rules say: in the place of the waiting one with that id, or behind all others.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - sequence: The number that a new one had in the queue that this one repeats. It is used unless it would put the
  ///     mutation before others.
  package mutating func put(_ mutation: Mutation, sequence: Int = 0) {
    guard let slot = slot(of: mutation.id), let old = self.mutation(at: slot) else {
      // A number from a file may be anything; from here on, one a nanosecond would last a century.
      let number = max(nextSequence, min(sequence, 1 << 62))
      nextSequence = number + 1
      return insert(mutation, number)
    }
    guard old.entity == mutation.entity, old.operation == mutation.operation else {
      return restore(mutation, sequence: self.sequence(at: slot))
    }
    records.replace(slot, by: Self.bytes(of: mutation))
  }

  /// Puts a mutation back to the place that it had.
  mutating func restore(_ mutation: Mutation, sequence: Int) {
    remove(mutation.id)
    insert(mutation, sequence)
  }

  /// Takes a mutation out; nothing happens when it is gone.
  package mutating func remove(_ id: String) {
    guard let slot = slot(of: id), let mutation = mutation(at: slot) else { return }
    let entity = mutation.entity
    var behind = others.removeValue(forKey: entity) ?? []
    if head(of: entity) == slot {
      byEntity.remove(slot, hash: entity.packedHash)
      lanes.remove(sequence(at: slot), of: mutation)
      if let next = behind.first, let new = self.mutation(at: next) {
        behind.removeFirst()
        byEntity.insert(next, hash: entity.packedHash)
        lanes.insert(entry(next), of: new)
      }
    } else {
      behind.removeAll { $0 == slot }
    }
    if !behind.isEmpty { others[entity] = behind }
    byID.remove(slot, hash: Self.hash(of: id))
    records.remove(slot)
  }

  /// Gives no number below that one any more.
  mutating func skip(to number: Int) { nextSequence = max(nextSequence, number) }

  /// Marks all mutations as perhaps sent.
  mutating func markSent() {
    for slot in records.slots {
      guard var mutation = mutation(at: slot), !mutation.mayHaveBeenSent else { continue }
      mutation.mayHaveBeenSent = true
      records.replace(slot, by: Self.bytes(of: mutation))
    }
  }

  private mutating func insert(_ mutation: Mutation, _ sequence: Int) {
    let entity = mutation.entity
    let head = head(of: entity)
    let slot = records.insert(Self.bytes(of: mutation), word: UInt64(bitPattern: Int64(sequence)))
    byID.insert(slot, hash: Self.hash(of: mutation.id))
    if let head {
      guard sequence < self.sequence(at: head) else { return put(slot, sequence, behindOf: entity) }
      if let old = self.mutation(at: head) { lanes.remove(self.sequence(at: head), of: old) }
      byEntity.remove(head, hash: entity.packedHash)
      others[entity, default: []].insert(head, at: 0)
    }
    byEntity.insert(slot, hash: entity.packedHash)
    lanes.insert(entry(slot), of: mutation)
  }

  private mutating func put(_ slot: PackedRecords.Slot, _ sequence: Int, behindOf entity: EntityKey) {
    // Taken out, so that it is not copied; nearly always the new one is the last.
    var behind = others.removeValue(forKey: entity) ?? []
    var place = behind.endIndex
    while place > 0, self.sequence(at: behind[place - 1]) > sequence { place -= 1 }
    behind.insert(slot, at: place)
    others[entity] = behind
  }
}

// The contents of the records.
extension MutationQueue {
  private func slot(of id: String) -> PackedRecords.Slot? {
    byID.first(hash: Self.hash(of: id)) { slot in
      var reader = StoreByteReader(records.content(slot))
      return reader.nextIs(id)
    }
  }

  /// The slots of an entity's mutations, oldest first.
  private func slots(of entity: EntityKey) -> [PackedRecords.Slot] {
    head(of: entity).map { [$0] + (others[entity] ?? []) } ?? []
  }

  /// The slot of an entity's oldest mutation.
  private func head(of entity: EntityKey) -> PackedRecords.Slot? {
    byEntity.first(hash: entity.packedHash) { isOf(entity, $0) }
  }

  private func isOf(_ entity: EntityKey, _ slot: PackedRecords.Slot) -> Bool {
    var reader = StoreByteReader(records.content(slot))
    // Before it are the id and the key of idempotency.
    return (try? reader.skipString()) != nil && (try? reader.skipString()) != nil && reader.nextIs(entity)
  }

  private func sequence(at slot: PackedRecords.Slot) -> Int {
    Int(truncatingIfNeeded: Int64(bitPattern: records[word: slot]))
  }

  private func entry(_ slot: PackedRecords.Slot) -> PushLane.Entry {
    PushLane.Entry(sequence: sequence(at: slot), slot: slot)
  }

  private func mutation(at slot: PackedRecords.Slot) -> Mutation? {
    var reader = StoreByteReader(records.content(slot))
    // It was written by ``bytes(of:)``: there is nothing to tell.
    return try? reader.mutation(.third)
  }

  private static func bytes(of mutation: Mutation) -> [UInt8] {
    var writer = StoreByteWriter(capacity: 512)
    writer.append(mutation)
    return writer.bytes
  }

  private static func hash(of id: String) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytesOf: id)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
