package import Platform

/// Events in checksummed files of a folder, which one storage uses at a time.
///
/// ```swift
/// let storage = try SegmentedEventStorage(folder: "/home/me/.local/share/metarouter/disk-queue")
/// try storage.append(events)
/// let batch = try storage.first(100)
/// try storage.removeFirst(batch.count)
/// ```
package final class SegmentedEventStorage: EventStorage {
  private let queue: Locked<SegmentQueue>

  /// Opens the queue of a folder; missing folders are created.
  ///
  /// Data left incomplete by a killed process is truncated; unreadable data is set aside, see ``takeDamage()``.
  ///
  /// - Throws: If the folder cannot be used, or if another process or storage uses it.
  package convenience init(folder: String, operations: FileOperations = .system) throws(StorageFailure) {
    try self.init(folder: folder, limits: Segment.Limits(), operations: operations)
  }

  init(folder: String, limits: Segment.Limits, operations: FileOperations = .system) throws(StorageFailure) {
    queue = Locked(try SegmentQueue(SegmentFolder(folder, operations: operations), limits: limits))
  }

  package var count: Int { queue.withLock { $0.count } }

  package func takeDamage() -> StorageDamage {
    queue.withLock { queue in
      defer { queue.damage = StorageDamage() }
      return queue.damage
    }
  }

  package func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    try queue.withLock { (queue) throws(StorageFailure) in try queue.append(events) }
  }

  package func prepend(_ events: [QueuedEvent]) throws(StorageFailure) {
    try queue.withLock { (queue) throws(StorageFailure) in try queue.prepend(events) }
  }

  package func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] {
    try queue.withLock { (queue) throws(StorageFailure) in try queue.first(limit) }
  }

  package func removeFirst(_ count: Int) throws(StorageFailure) {
    try queue.withLock { (queue) throws(StorageFailure) in try queue.removeFirst(count) }
  }

  package func removeAll() throws(StorageFailure) {
    try queue.withLock { (queue) throws(StorageFailure) in try queue.removeAll() }
  }
}
