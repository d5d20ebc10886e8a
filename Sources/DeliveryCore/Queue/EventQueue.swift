/// The events in memory, in three queues around the disk.
///
/// The logical order is `front`, disk, `back`, `parked`: events put back after a failed send are older than those
/// stored since, and events that arrived while the disk refused writes are the newest.
package struct EventQueue: Sendable, Hashable {
  /// Events older than those on disk.
  package var front = EventLine()
  /// Events newer than those on disk.
  package var back = EventLine()
  /// Events beyond the capacity while the disk fails; newer than ``back``.
  package var parked = EventLine()

  package init() {}

  /// Events that count against the capacity.
  package var count: Int { front.count + back.count }
  /// Bytes that count against the capacity.
  package var bytes: Int { front.bytes + back.bytes }
  /// All events in memory.
  package var total: Int { count + parked.count }
  /// Bytes of all events in memory.
  package var totalBytes: Int { bytes + parked.bytes }
  package var isEmpty: Bool { total == 0 }

  /// Takes the oldest events that may be sent now, at most `limit`; parked ones must move up first.
  ///
  /// - Parameter disk: True if events on disk precede those in ``back``.
  package mutating func take(_ limit: Int, disk: Bool = false) -> [QueuedEvent] {
    let oldest = front.take(limit)
    return disk ? oldest : oldest + back.take(limit - oldest.count)
  }

  /// Takes the newest event that is not parked.
  package mutating func takeNewest() -> QueuedEvent? {
    back.takeLast(1).first ?? front.takeLast(1).first
  }
}
