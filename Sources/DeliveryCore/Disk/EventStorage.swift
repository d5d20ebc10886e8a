/// Events on disk, or in a test double: one queue, oldest first, that grows at both ends and is read from the front.
///
/// All calls come from one client, one at a time. A call that throws has no effect visible to later calls, except that
/// some of the new events may remain after a crash.
package protocol EventStorage: Sendable {
  /// Stored events.
  var count: Int { get }

  /// Damage found since the last call, for the counters and a warning.
  func takeDamage() -> StorageDamage

  /// Stores events behind the newest; they are durable on return.
  func append(_ events: [QueuedEvent]) throws(StorageFailure)

  /// Stores events before the oldest; they are durable on return.
  func prepend(_ events: [QueuedEvent]) throws(StorageFailure)

  /// The oldest events, at most `limit`; they stay stored.
  ///
  /// Damaged events in between are skipped and counted, and removed with the next removal.
  func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent]

  /// Removes the oldest events, durably on return.
  func removeFirst(_ count: Int) throws(StorageFailure)

  /// Removes everything.
  func removeAll() throws(StorageFailure)
}

/// Damage found by a storage.
package struct StorageDamage: Sendable, Hashable {
  /// Events skipped because they were unreadable.
  package var events = 0
  /// Names of the files that were set aside.
  package var files: [String] = []

  package init(events: Int = 0, files: [String] = []) {
    self.events = events
    self.files = files
  }

  package var isEmpty: Bool { events == 0 && files.isEmpty }
}

/// The reason that a storage operation failed.
package struct StorageFailure: Error, Sendable, Hashable {
  /// The failure, with the path.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
