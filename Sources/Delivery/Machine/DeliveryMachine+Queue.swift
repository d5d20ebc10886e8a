extension DeliveryMachine {
  mutating func queued(_ event: QueuedEvent, at now: Duration) -> [Action] {
    switch phase {
    case .disabled: return [.drop(.disabled, [event.messageID], count: 1)]
    case .stopped: return [.drop(.invalidCall, [event.messageID], count: 1)]
    case .running: break
    }
    var actions = makeRoom(for: event, at: now)
    actions += place(event)
    if configuration.usesDisk, !refusesWrites(at: now),
      queue.count >= configuration.diskFlushEvents || queue.bytes >= configuration.diskFlushBytes
    {
      actions += storeMemory()
      if mayBeginFlush(at: now) { actions += beginFlush(at: now) }
    } else if queue.count >= configuration.autoFlushEvents, mayBeginFlush(at: now) {
      actions += beginFlush(at: now)
    }
    return actions
  }

  /// Whether a flush that nobody asked for makes sense: one that can end in a request.
  private func mayBeginFlush(at now: Duration) -> Bool {
    !isFlushing && retryAt == nil && network == .online && !isBefore(notBefore, at: now)
  }

  /// Whether the disk refused a write a moment ago.
  func refusesWrites(at now: Duration) -> Bool { isBefore(diskRetryAt, at: now) }

  func isBefore(_ moment: Duration?, at now: Duration) -> Bool {
    moment.map { now < $0 } ?? false
  }

  /// Whether one more event with so many bytes is too much.
  private func isFull(with bytes: Int) -> Bool {
    queue.count > 0
      && (queue.count >= max(1, configuration.maxQueueEvents)
        || queue.bytes + bytes > configuration.maxQueueBytes)
  }

  private mutating func makeRoom(for event: QueuedEvent, at now: Duration) -> [Action] {
    guard isFull(with: event.bytes) else { return [] }
    if configuration.usesDisk { return refusesWrites(at: now) ? [] : storeMemory() }
    var dropped: [String] = []
    while isFull(with: event.bytes), let oldest = queue.takeOldest() { dropped.append(oldest.messageID) }
    return [.drop(.memoryFull, dropped, count: dropped.count)]
  }

  private mutating func place(_ event: QueuedEvent) -> [Action] {
    guard isFull(with: event.bytes) || !queue.parked.isEmpty else {
      queue.back.append(event)
      return []
    }
    queue.parked.append(event)
    return balance()
  }

  /// Gives up the oldest parked events where there are more than the disk would hold.
  private mutating func dropParked() -> [Action] {
    var dropped: [String] = []
    while queue.parked.count > configuration.maxDiskEvents
      || queue.parked.bytes > 4 * configuration.maxQueueBytes,
      let oldest = queue.parked.take(1).first
    {
      dropped.append(oldest.messageID)
    }
    return dropped.isEmpty ? [] : [.drop(.parkedFull, dropped, count: dropped.count)]
  }

  /// Brings memory and parked events in line with the capacity.
  mutating func balance() -> [Action] {
    var excess: [QueuedEvent] = []
    while queue.count > max(1, configuration.maxQueueEvents) || queue.bytes > configuration.maxQueueBytes,
      queue.count > 1, let newest = queue.back.takeLast(1).first
    {
      excess.append(newest)
    }
    queue.parked.prepend(excess.reversed())
    while let next = queue.parked.first, !isFull(with: next.bytes) {
      queue.back.append(queue.parked.take(1))
    }
    return dropParked()
  }

  /// Puts a batch that was not delivered before all others.
  mutating func putBack(_ events: [QueuedEvent]) -> [Action] {
    queue.front.prepend(events)
    guard queue.count > max(1, configuration.maxQueueEvents) || queue.bytes > configuration.maxQueueBytes
    else {
      return []
    }
    if configuration.usesDisk { return storeBack() }
    var dropped: [String] = []
    while queue.count > max(1, configuration.maxQueueEvents) || queue.bytes > configuration.maxQueueBytes,
      queue.count > 1, let newest = queue.back.takeLast(1).first ?? queue.front.takeLast(1).first
    {
      dropped.append(newest.messageID)
    }
    return [.drop(.memoryFull, dropped.reversed(), count: dropped.count)]
  }
}
