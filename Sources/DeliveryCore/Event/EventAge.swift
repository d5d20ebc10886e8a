package import Essentials

/// How old an event is by its `timestamp`.
package enum EventAge {
  /// The age at which a stored event is not sent any more: seven days.
  package static let maximum: TimeInterval = 7 * 86_400

  /// True if an event is too old to be sent; one whose moment cannot be read never is.
  package static func isExpired(
    _ event: QueuedEvent, now: Date, maximum: TimeInterval = maximum
  ) -> Bool {
    guard let date = EventTime.date(event.timestamp) else { return false }
    return now.timeIntervalSince(date) > maximum
  }
}
