/// The rows of one kind.
struct StoredRows: Sendable {
  /// The row before and the row after one, among those that wait for the same entity.
  private struct Neighbors {
    static let none = PackedRecords.Slot.max

    var before = Self.none
    var after = Self.none

    init() {}

    init(_ word: UInt64) {
      before = PackedRecords.Slot(truncatingIfNeeded: word >> 32)
      after = PackedRecords.Slot(truncatingIfNeeded: word)
    }

    var word: UInt64 { UInt64(before) << 32 | UInt64(after) }
  }

  private let link: EntityKind.Link?
  private var records = PackedRecords()
  private var byKey = PackedIndex()
  /// The first row of those that name an entity they are not linked to, by that entity.
  private var waiting: [EntityKey: PackedRecords.Slot] = [:]

  /// No rows, of a kind with such a link.
  init(link: EntityKind.Link?) {
    self.link = link
  }

  /// How many rows there are.
  var count: Int { byKey.count }

  /// All rows, in no order.
  var all: some Sequence<SyncEntity> { records.slots.lazy.compactMap { row(at: $0) } }

  /// The row of that key.
  subscript(_ key: EntityKey) -> SyncEntity? { slot(of: key).flatMap { row(at: $0) } }

  /// The status of the row of that key.
  func status(of key: EntityKey) -> SyncEntity.Status? {
    guard let slot = slot(of: key) else { return nil }
    var reader = StoreByteReader(records.content(slot))
    return try? reader.status()
  }

  /// The rows that name an entity they are not linked to yet, in no order.
  func rows(waitingFor target: EntityKey) -> [SyncEntity] {
    var rows: [SyncEntity] = []
    var next = waiting[target]
    while let slot = next {
      if let row = row(at: slot) { rows.append(row) }
      let after = Neighbors(records[word: slot]).after
      next = after == Neighbors.none ? nil : after
    }
    return rows
  }

  /// Writes a row.
  mutating func set(_ row: SyncEntity) {
    var writer = StoreByteWriter(capacity: 512)
    writer.append(row.status)
    // A row nested too deep to be written was refused as a part of its transaction.
    do { try writer.append(row) } catch { return }
    let target = missingTarget(of: row)
    guard let slot = slot(of: row.key) else {
      let slot = records.insert(writer.bytes, word: Neighbors().word)
      byKey.insert(slot, hash: row.key.packedHash)
      return wait(slot, for: target)
    }
    let before = self.row(at: slot).flatMap(missingTarget)
    records.replace(slot, by: writer.bytes)
    if before != target {
      stopWaiting(slot, for: before)
      wait(slot, for: target)
    }
  }

  /// Takes a row out.
  mutating func remove(_ key: EntityKey) {
    guard let slot = slot(of: key) else { return }
    stopWaiting(slot, for: row(at: slot).flatMap(missingTarget))
    byKey.remove(slot, hash: key.packedHash)
    records.remove(slot)
  }

  private func slot(of key: EntityKey) -> PackedRecords.Slot? {
    byKey.first(hash: key.packedHash) { slot in
      var reader = StoreByteReader(records.content(slot))
      return (try? reader.status()) != nil && reader.nextIs(key)
    }
  }

  private func row(at slot: PackedRecords.Slot) -> SyncEntity? {
    var reader = StoreByteReader(records.content(slot))
    // It was written by ``set(_:)``: there is nothing to tell.
    return (try? reader.status()).flatMap { _ in try? reader.row(.second) }
  }

  private func missingTarget(of row: SyncEntity) -> EntityKey? {
    guard row.linkedTo == nil, let link, case .string(let id) = row.members[link.member] else { return nil }
    return EntityKey(kind: link.kind, id: id)
  }

  private mutating func wait(_ slot: PackedRecords.Slot, for target: EntityKey?) {
    guard let target else { return }
    var neighbors = Neighbors()
    if let first = waiting.updateValue(slot, forKey: target) {
      neighbors.after = first
      change(first) { $0.before = slot }
    }
    records[word: slot] = neighbors.word
  }

  private mutating func stopWaiting(_ slot: PackedRecords.Slot, for target: EntityKey?) {
    guard let target else { return }
    let neighbors = Neighbors(records[word: slot])
    change(neighbors.before) { $0.after = neighbors.after }
    change(neighbors.after) { $0.before = neighbors.before }
    if waiting[target] == slot { waiting[target] = neighbors.after == Neighbors.none ? nil : neighbors.after }
    records[word: slot] = Neighbors().word
  }

  private mutating func change(_ slot: PackedRecords.Slot, _ body: (inout Neighbors) -> Void) {
    guard slot != Neighbors.none else { return }
    var neighbors = Neighbors(records[word: slot])
    body(&neighbors)
    records[word: slot] = neighbors.word
  }
}

extension EntityKey {
  /// A hash of the bytes, other in each process.
  var packedHash: UInt32 {
    var hasher = Hasher()
    hash(into: &hasher)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
