/// How far a push has come.
package struct SyncProgress: Hashable, Sendable {
  /// How many changes are done; from 0 to ``total``.
  package let synced: Int
  /// How many there are.
  package let total: Int

  /// A progress; numbers out of range are moved to its next end.
  package init(synced: Int, total: Int) {
    self.total = max(0, total)
    self.synced = min(max(0, synced), self.total)
  }

  /// The part that is done, from 0 to 1; `nil` if there is nothing to do.
  package var fraction: Double? {
    total > 0 ? Double(synced) / Double(total) : nil
  }

  /// The same in whole hundredths; 100 only when all is done.
  package var percent: Int? {
    fraction.map { synced == total ? 100 : min(99, Int($0 * 100)) }
  }
}
