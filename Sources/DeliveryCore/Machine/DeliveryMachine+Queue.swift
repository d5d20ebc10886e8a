extension DeliveryMachine {
  mutating func queued(_ event: QueuedEvent, at now: Duration) -> [Action] {
    switch phase {
    case .disabled: return [.drop(.disabled, [event.messageID], count: 1)]
    case .stopped: return [.drop(.invalidCall, [event.messageID], count: 1)]
    case .running: break
    }
    var actions = makeRoom(for: event, at: now)
    actions += place(event)
    queuedSinceFlush += 1
    // While a store is in progress (such as one that made room for this event), another must not overtake it.
    if storing == 0, isWorthStoring, !refusesWrites(at: now) {
      actions += storeMemory()
      if mayBeginFlush(at: now) { actions += beginFlush(at: now) }
    } else if queuedSinceFlush >= configuration.autoFlushEvents, mayBeginFlush(at: now) {
      // Together with the stored events they are one batch.
      if stored > 0, fitsDisk, storing == 0, !refusesWrites(at: now) { actions += storeMemory() }
      actions += beginFlush(at: now)
    }
    return actions
  }

  /// True if memory has reached the threshold for a move to disk.
  private var isWorthStoring: Bool {
    configuration.usesDisk
      && (queue.count >= configuration.diskFlushEvents || queue.bytes >= configuration.diskFlushBytes)
  }

  /// True if an automatic flush makes sense: one that can end in a request.
  private func mayBeginFlush(at now: Duration) -> Bool {
    !isFlushing && retryAt == nil && network == .online && !isBefore(notBefore, at: now)
  }

  /// True if a write to disk failed a moment ago.
  func refusesWrites(at now: Duration) -> Bool { isBefore(diskRetryAt, at: now) }

  func isBefore(_ moment: Duration?, at now: Duration) -> Bool {
    moment.map { now < $0 } ?? false
  }

  /// True if one more event of this size exceeds the capacity.
  private func isFull(with bytes: Int) -> Bool {
    queue.count > 0
      && (queue.count >= max(1, configuration.maxQueueEvents)
        || queue.bytes > configuration.maxQueueBytes - bytes)
  }

  /// True if memory exceeds the capacity; a single event never does.
  private var isOverfull: Bool {
    queue.count > 1
      && (queue.count > configuration.maxQueueEvents || queue.bytes > configuration.maxQueueBytes)
  }

  private mutating func makeRoom(for event: QueuedEvent, at now: Duration) -> [Action] {
    guard isFull(with: event.bytes) else { return [] }
    if configuration.usesDisk { return refusesWrites(at: now) ? [] : storeMemory() }
    var dropped: [String] = []
    while isFull(with: event.bytes), let oldest = queue.take(1).first { dropped.append(oldest.messageID) }
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

  /// Brings memory and parked events within the capacity.
  mutating func balance() -> [Action] {
    var excess: [QueuedEvent] = []
    while isOverfull, let newest = queue.back.takeLast(1).first { excess.append(newest) }
    queue.parked.prepend(excess.reversed())
    while let next = queue.parked.first, !isFull(with: next.bytes) {
      queue.back.append(queue.parked.take(1))
    }
    return dropParked()
  }

  /// Drops the oldest parked events beyond the capacity of the disk.
  private mutating func dropParked() -> [Action] {
    var dropped: [String] = []
    while queue.parked.count > configuration.maxDiskEvents
      || queue.parked.bytes / 4 > configuration.maxQueueBytes,
      let oldest = queue.parked.take(1).first
    {
      dropped.append(oldest.messageID)
    }
    return dropped.isEmpty ? [] : [.drop(.parkedFull, dropped, count: dropped.count)]
  }

  /// Puts an undelivered batch back before all other events.
  mutating func putBack(_ events: [QueuedEvent]) -> [Action] {
    queue.front.prepend(events)
    guard isOverfull else { return [] }
    if configuration.usesDisk {
      let actions = storeBack()
      return actions.isEmpty ? balance() : actions
    }
    var dropped: [String] = []
    while isOverfull, let newest = queue.takeNewest() { dropped.append(newest.messageID) }
    return [.drop(.memoryFull, dropped.reversed(), count: dropped.count)]
  }
}
