import Essentials

/// When the first event on disk was made, as far as the records want to know.
///
/// It is learned from what passes by. The disk itself is asked only after something left it, and then once.
enum OldestOnDisk: Hashable {
  case unknown
  /// `nil` for an event whose time cannot be read, and while there is none.
  case known(Double?)
}

extension ClientCore {
  /// When the first event that waits was made, in seconds since 2001.
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
    // Events that still have to leave the disk stand before it.
    let events = try? storage?.first(machine.owedRemovals + 1)
    let time = events.flatMap { $0.count > machine.owedRemovals ? $0.last : nil }.flatMap {
      Self.time(of: $0)
    }
    oldestStored = .known(time)
    return time
  }

  /// The disk took events.
  mutating func noteStored(_ events: [QueuedEvent], _ place: DeliveryMachine.Place) {
    guard let first = events.first else { return }
    // Behind others it is the first one only where there was none.
    if place == .beforeOldest || machine.diskCount == 0 { oldestStored = .known(Self.time(of: first)) }
  }

  static func time(of event: QueuedEvent) -> Double? {
    EventTime.date(event.timestamp)?.timeIntervalSinceReferenceDate
  }
}
