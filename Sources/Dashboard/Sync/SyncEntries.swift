/// The entries of sync engines that a feed has read, the newest of them, oldest first.
package struct SyncEntries: Sendable {
  /// So many are kept at least; the oldest go in pieces.
  package static let limit = 20_000

  private var entries: [RawSyncEntry] = []
  /// How many were read ever.
  package private(set) var total = 0

  package init() {}

  /// Adds an entry.
  package mutating func append(_ entry: RawSyncEntry) {
    entries.append(entry)
    total += 1
    if entries.count > 2 * Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }

  /// What came after so many.
  package func after(_ count: Int) -> ArraySlice<RawSyncEntry> {
    entries.suffix(max(0, total - max(0, count)))
  }
}
