/// The order in which keys were last used, in amortized constant time per operation.
struct UseOrder<Key: Hashable & Sendable>: Sendable {
  private var last: [Key: UInt64] = [:]
  /// The uses, oldest first; outdated uses of a key are skipped.
  private var uses: [(key: Key, use: UInt64)] = []
  private var oldest = 0
  private var next: UInt64 = 0

  /// Records a use.
  mutating func use(_ key: Key) {
    next &+= 1
    last[key] = next
    uses.append((key, next))
    // Most of the list may be outdated uses, or uses of removed keys.
    guard uses.count - oldest > 2 * last.count + 64 else { return }
    uses = uses[oldest...].filter { last[$0.key] == $0.use }
    oldest = 0
  }

  mutating func remove(_ key: Key) { last[key] = nil }

  /// Removes the least recently used item; `nil` if empty.
  mutating func removeLeastRecent() -> Key? {
    while oldest < uses.count {
      let (key, use) = uses[oldest]
      oldest += 1
      guard last[key] == use else { continue }
      last[key] = nil
      return key
    }
    return nil
  }
}
