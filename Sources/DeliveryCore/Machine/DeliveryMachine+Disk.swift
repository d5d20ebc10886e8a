// Storing, removing and reading. A disk action decided before an earlier one is answered could refer to the wrong
// events. So there is at most one unanswered removal, and one unanswered store at each end; a flush waits for both.
extension DeliveryMachine {
  // MARK: - Storing

  /// Moves all events in memory to disk, around those already there.
  mutating func storeMemory() -> [Action] { store(.memory) }

  /// Moves everything to disk, including events in flight.
  mutating func storeEverything() -> [Action] { store(.everything) }

  /// Schedules the storing of events that would be lost with the process, if the disk has room for them.
  mutating func armKeeping(at now: Duration) {
    guard phase == .running, configuration.usesDisk, held > 0, fitsDisk else {
      return keepAt = nil
    }
    keepAt = keepAt ?? max(now + configuration.keepDelay, diskRetryAt ?? now)
  }

  /// Events that would be lost with the process.
  private var held: Int {
    queue.total + (inFlight.map { $0.source == .memory ? $0.batch.events.count : 0 } ?? 0)
  }

  /// True if the disk has room for them.
  var fitsDisk: Bool { stored + held <= configuration.maxDiskEvents }

  private mutating func store(_ scope: StoreScope) -> [Action] {
    guard configuration.usesDisk else { return [] }
    // Delivered or dropped events must leave the front of the disk before others are stored there.
    guard owedRemovals == 0 else {
      pendingStore = scope
      return removeOwed()
    }
    var oldest: [QueuedEvent] = []
    if scope == .everything, let flying = inFlight, flying.source == .memory { oldest = flying.batch.events }
    storingInFlight = oldest.count
    return store(.beforeOldest, oldest + queue.front.takeAll()) + storeBack()
  }

  /// Moves events newer than the disk's to it.
  mutating func storeBack() -> [Action] {
    guard mayStore else { return [] }
    return store(.behindNewest, queue.back.takeAll() + queue.parked.takeAll())
  }

  /// True if there is a disk from which events can be removed: otherwise it would grow without limit.
  private var mayStore: Bool {
    configuration.usesDisk && owedRemovals <= configuration.maxDiskEvents
  }

  private mutating func store(_ place: Place, _ events: [QueuedEvent]) -> [Action] {
    storing += events.count
    return events.isEmpty ? [] : [.store(place, events)]
  }

  mutating func wasStored(_ count: Int, stored: Int, at now: Duration) -> [Action] {
    storing -= count
    diskCount = stored
    diskRetryAt = nil
    if storingInFlight > 0 {
      inFlight?.source = .disk
      inFlight?.stored = storingInFlight
      storingInFlight = 0
    }
    return trimDisk() + goOnAfterStoring(at: now)
  }

  mutating func storeFailed(_ place: Place, _ events: [QueuedEvent], at now: Duration) -> [Action] {
    storing -= events.count
    diskRetryAt = now + configuration.diskRetry
    switch place {
    case .beforeOldest:
      queue.front.prepend(Array(events.dropFirst(storingInFlight)))
      storingInFlight = 0
    case .behindNewest:
      queue.back.prepend(events)
    }
    return balance() + goOnAfterStoring(at: now)
  }

  private mutating func goOnAfterStoring(at now: Duration) -> [Action] {
    storing == 0 && step == .storing ? sendNext(at: now) : []
  }

  // MARK: - Removing

  /// Drops the oldest events on disk beyond its capacity.
  mutating func trimDisk() -> [Action] {
    let excess = stored - max(0, configuration.maxDiskEvents)
    guard excess > 0 else { return [] }
    // Events in flight may still be delivered: they are counted with their outcome.
    let flying = min(excess, inFlight?.stored ?? 0)
    inFlight?.stored -= flying
    inFlight?.lost += flying
    owedRemovals += excess
    let drop: [Action] = excess > flying ? [.drop(.diskFull, [], count: excess - flying)] : []
    return drop + removeOwed()
  }

  /// Asks the disk to remove finished events, unless a removal is in progress.
  mutating func removeOwed() -> [Action] {
    guard removing == 0, owedRemovals > 0 else { return [] }
    removing = owedRemovals
    return [.remove(removing)]
  }

  mutating func wasRemoved(stored count: Int, at now: Duration) -> [Action] {
    diskCount = count
    owedRemovals -= removing
    removing = 0
    // More events finished during the removal.
    guard owedRemovals == 0 else { return removeOwed() }
    return storePending() + (step == .removal ? sendNext(at: now) : [])
  }

  mutating func removeFailed(at now: Duration) -> [Action] {
    removing = 0
    keepAt = now + configuration.diskRetry
    if !mayStore { diskRetryAt = now + configuration.diskRetry }
    // Only the back of the disk can be written.
    let actions = pendingStore == nil ? [] : storeBack()
    pendingStore = nil
    guard step == .removal else { return actions }
    skipsDisk = true
    return actions + sendNext(at: now)
  }

  private mutating func storePending() -> [Action] {
    defer { pendingStore = nil }
    return pendingStore.map { store($0) } ?? []
  }

  // MARK: - Reading

  mutating func wasRead(
    _ events: [QueuedEvent], expired: Int, stored count: Int, at now: Duration
  ) -> [Action] {
    diskCount = count
    guard step == .reading else { return [] }
    guard events.isEmpty else {
      return send(events, from: .disk, stored: events.count + expired, expired: expired, at: now)
    }
    if expired > 0 {
      // Terminates: each turn leaves fewer events.
      owedRemovals += expired
      return [.drop(.expired, [], count: expired)] + sendNext(at: now)
    }
    skipsDisk = stored > 0
    return sendNext(at: now)
  }

  mutating func readFailed(at now: Duration) -> [Action] {
    guard step == .reading else { return [] }
    skipsDisk = true
    return sendNext(at: now)
  }
}
