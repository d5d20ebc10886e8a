import Essentials

/// The creation time of the oldest event on disk, for records.
///
/// Learned from passing events. The disk itself is only read after something has left it, and then once.
enum OldestOnDisk: Hashable {
  case unknown
  /// `nil` if the event's time is unreadable, or if there is no event.
  case known(Double?)
}

extension ClientCore {
  /// The creation time of the oldest waiting event, in seconds since 2001.
  var oldestWaiting: Double? {
    mutating get {
      if let flying = machine.inFlight?.batch.events.first { return Self.time(of: flying) }
      if let front = machine.queue.front.first { return Self.time(of: front) }
      if machine.stored > 0 { return oldestOnDisk() }
      return (machine.queue.back.first ?? machine.queue.parked.first).flatMap { Self.time(of: $0) }
    }
  }

  private mutating func oldestOnDisk() -> Double? {
    if case .known(let time) = oldestStored { return time }
    // Events that have yet to leave the disk come before it.
    let events = try? storage?.first(machine.owedRemovals + 1)
    let time = events.flatMap { $0.count > machine.owedRemovals ? $0.last : nil }.flatMap {
      Self.time(of: $0)
    }
    oldestStored = .known(time)
    return time
  }

  /// Notes that events were stored.
  mutating func noteStored(_ events: [QueuedEvent], _ place: DeliveryMachine.Place) {
    guard let first = events.first else { return }
    // Events behind the newest include the oldest only if the disk was empty.
    if place == .beforeOldest || machine.diskCount == 0 { oldestStored = .known(Self.time(of: first)) }
  }

  static func time(of event: QueuedEvent) -> Double? {
    EventTime.date(event.timestamp)?.timeIntervalSinceReferenceDate
  }
}
