import Platform

/// Remembers which losses the person has seen: a loss counts as seen once a key was pressed while it was on the screen.
package struct LossNotice: Sendable {
  /// The newest loss that was seen.
  private(set) var seen: Timestamp?
  /// The loss on the screen, and the time since which it is there.
  private var shown: (loss: Timestamp, since: Timestamp)?

  /// Notes the newest loss of the shown client and the person's last key.
  mutating func update(_ loss: Timestamp?, lastInput: Timestamp, now: Timestamp) {
    if let shown, shown.since < lastInput, lastInput <= now {
      seen = max(seen ?? .distantPast, shown.loss)
    }
    if loss != shown?.loss { shown = loss.map { ($0, now) } }
  }
}
