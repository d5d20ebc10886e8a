/// The progress of a push.
package struct SyncProgress: Hashable, Sendable {
  /// Completed changes, from 0 to ``total``.
  package let synced: Int
  /// All changes.
  package let total: Int

  /// Creates a progress; values out of range are clamped.
  package init(synced: Int, total: Int) {
    self.total = max(0, total)
    self.synced = min(max(0, synced), self.total)
  }

  /// The completed fraction, from 0 to 1; `nil` if there is nothing to do.
  package var fraction: Double? {
    total > 0 ? Double(synced) / Double(total) : nil
  }

  /// The fraction in whole percent; 100 only if everything is done.
  package var percent: Int? {
    fraction.map { synced == total ? 100 : min(99, Int($0 * 100)) }
  }
}
