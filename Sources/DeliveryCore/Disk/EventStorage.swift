/// Events on disk, or in a test's store: one queue, oldest first, which grows at both ends and is read from the front.
///
/// All calls come from one client, one after the other. A call that throws has changed nothing that a later call could
/// see, except that a part of the new events may be there after a crash.
package protocol EventStorage: Sendable {
  /// Events that are stored and not yet removed.
  var count: Int { get }

  /// Damage found since the last call, for the counters and for a warning.
  func takeDamage() -> StorageDamage

  /// Stores events behind the newest; they are durable when this returns.
  func append(_ events: [QueuedEvent]) throws(StorageFailure)

  /// Stores events before the oldest; they are durable when this returns.
  func prepend(_ events: [QueuedEvent]) throws(StorageFailure)

  /// The oldest events, at most `limit`; they stay stored.
  ///
  /// Damaged events on the way are skipped, counted, and gone with the next removal.
  func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent]

  /// Removes the oldest events, for good when this returns.
  func removeFirst(_ count: Int) throws(StorageFailure)

  /// Removes everything.
  func removeAll() throws(StorageFailure)
}

/// Damage found by a storage.
package struct StorageDamage: Sendable, Hashable {
  /// Events that could not be read and were skipped.
  package var events = 0
  /// Files that were set aside, by name.
  package var files: [String] = []

  package init(events: Int = 0, files: [String] = []) {
    self.events = events
    self.files = files
  }

  package var isEmpty: Bool { events == 0 && files.isEmpty }
}

/// The reason why an operation of a storage failed.
package struct StorageFailure: Error, Sendable, Hashable {
  /// The failure, with the path.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
