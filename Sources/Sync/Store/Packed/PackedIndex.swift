/// Finds slots by the hash of what lies in them; different things may have one.
///
/// Eight bytes an entry: the hash, and the slot. What is looked for is compared by whoever asks.
struct PackedIndex: Sendable {
  private static let smallest = 16

  /// The hash in the upper half, the slot and 1 in the lower one; 0 is nothing.
  private var entries: [UInt64] = []
  /// How many slots there are.
  private(set) var count = 0

  /// Adds a slot.
  mutating func insert(_ slot: PackedRecords.Slot, hash: UInt32) {
    if (count + 1) * 4 > entries.count * 3 { resize(to: max(Self.smallest, entries.count * 2)) }
    add(UInt64(hash) << 32 | (UInt64(slot) + 1))
    count += 1
  }

  /// Takes a slot out; nothing happens when it is not there.
  mutating func remove(_ slot: PackedRecords.Slot, hash: UInt32) {
    let entry = UInt64(hash) << 32 | (UInt64(slot) + 1)
    guard var hole = place(hash: hash, where: { $0 == entry }) else { return }
    // Entries pushed on by the removed one move back, so that no search ends too early.
    var next = following(hole)
    while entries[next] != 0 {
      let home = home(of: entries[next])
      if distance(from: home, to: hole) < distance(from: home, to: next) {
        entries[hole] = entries[next]
        hole = next
      }
      next = following(next)
    }
    entries[hole] = 0
    count -= 1
    if count * 8 < entries.count, entries.count > Self.smallest { resize(to: entries.count / 2) }
  }

  /// The first slot of a hash that is the right one.
  func first(hash: UInt32, where isRight: (PackedRecords.Slot) -> Bool) -> PackedRecords.Slot? {
    place(hash: hash) { isRight(Self.slot(of: $0)) }.map { Self.slot(of: entries[$0]) }
  }

  private func place(hash: UInt32, where isRight: (UInt64) -> Bool) -> Int? {
    guard !entries.isEmpty else { return nil }
    var place = home(of: UInt64(hash) << 32)
    while entries[place] != 0 {
      if entries[place] >> 32 == UInt64(hash), isRight(entries[place]) { return place }
      place = following(place)
    }
    return nil
  }

  private mutating func add(_ entry: UInt64) {
    var place = home(of: entry)
    while entries[place] != 0 { place = following(place) }
    entries[place] = entry
  }

  private mutating func resize(to size: Int) {
    let old = entries
    entries = Array(repeating: 0, count: size)
    for entry in old where entry != 0 { add(entry) }
  }

  /// Sizes are powers of two.
  private func home(of entry: UInt64) -> Int { Int(truncatingIfNeeded: entry >> 32) & (entries.count - 1) }

  private func following(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }

  private func distance(from home: Int, to place: Int) -> Int { (place - home) & (entries.count - 1) }

  private static func slot(of entry: UInt64) -> PackedRecords.Slot {
    PackedRecords.Slot(truncatingIfNeeded: entry) &- 1
  }
}
