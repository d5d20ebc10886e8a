/// The events in memory, in three queues around those on disk.
///
/// The one logical order is `front`, disk, `back`, `parked`: events put back after a failed send are older than those
/// stored since, and events that came while the disk refused a write are the newest.
package struct EventQueue: Sendable, Hashable {
  /// Older than the events on disk.
  package var front = EventLine()
  /// Newer than the events on disk.
  package var back = EventLine()
  /// Events beyond the capacity while the disk failed; newer than ``back``.
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

  /// Takes the oldest events that may be sent now, at most `limit`; parked ones have to move up first.
  ///
  /// - Parameter disk: Whether events on disk come before those behind them.
  package mutating func take(_ limit: Int, disk: Bool = false) -> [QueuedEvent] {
    let oldest = front.take(limit)
    return disk ? oldest : oldest + back.take(limit - oldest.count)
  }

  /// Takes the newest event that is not parked.
  package mutating func takeNewest() -> QueuedEvent? {
    back.takeLast(1).first ?? front.takeLast(1).first
  }
}
