/// The events in memory, in three lines around those on disk.
///
/// The one logical order is `front`, disk, `back`, `parked`: what was put back after a failed send is older than what was
/// stored meanwhile, and what came while the disk refused a write is newer than all.
package struct EventQueue: Sendable, Hashable {
  /// Older than the events on disk.
  package var front = EventLine()
  /// Newer than the events on disk.
  package var back = EventLine()
  /// What came above the capacity while the disk failed; newer than ``back``.
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

  /// Takes the oldest events that may be sent now, at most `limit`.
  ///
  /// - Parameter disk: Whether events on disk come before those behind them.
  package mutating func take(_ limit: Int, disk: Bool) -> [QueuedEvent] {
    var taken = front.take(limit)
    if disk { return taken }
    taken += back.take(limit - taken.count)
    taken += parked.take(limit - taken.count)
    return taken
  }

  /// Takes the oldest event, wherever it is.
  package mutating func takeOldest() -> QueuedEvent? { take(1, disk: false).first }

  /// Takes all.
  package mutating func takeAll() -> [QueuedEvent] { front.takeAll() + back.takeAll() + parked.takeAll() }
}
