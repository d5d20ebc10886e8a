extension DeliveryMachine {
  /// Moves all that is in memory to disk, around what is there.
  mutating func storeMemory() -> [Action] {
    guard configuration.usesDisk else { return [] }
    // Delivered events at the front of the disk have to go before others are put there.
    if owedRemovals > 0, !queue.front.isEmpty {
      storesAfterRemoval = true
      return [.remove(owedRemovals)]
    }
    return storeFront() + storeBack()
  }

  private mutating func storeFront() -> [Action] {
    store(.beforeOldest, queue.front.takeAll())
  }

  mutating func storeBack() -> [Action] {
    store(.behindNewest, queue.back.takeAll() + queue.parked.takeAll())
  }

  mutating func store(_ place: Place, _ events: [QueuedEvent]) -> [Action] {
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
    return trimDisk()
  }

  /// Gives up the oldest events on disk where there are too many.
  private mutating func trimDisk() -> [Action] {
    let excess = stored - configuration.maxDiskEvents
    guard excess > 0 else { return [] }
    // Those in flight may still be delivered: what became of them is counted with their outcome.
    let flying = min(excess, inFlight?.stored ?? 0)
    inFlight?.stored -= flying
    inFlight?.lost += flying
    owedRemovals += excess
    let drop: [Action] = excess > flying ? [.drop(.diskFull, [], count: excess - flying)] : []
    return drop + [.remove(owedRemovals)]
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
    return balance()
  }

  mutating func wasRemoved(stored count: Int, at now: Duration) -> [Action] {
    diskCount = count
    owedRemovals = 0
    var actions: [Action] = []
    if storesAfterRemoval {
      storesAfterRemoval = false
      actions += isTerminating ? terminated() : storeMemory()
    }
    return actions + (continues ? sendNext(at: now) : [])
  }

  mutating func removeFailed(at now: Duration) -> [Action] {
    var actions: [Action] = []
    if storesAfterRemoval {
      storesAfterRemoval = false
      actions += storeBack()
    }
    guard continues else { return actions }
    skipsDisk = true
    return actions + sendNext(at: now)
  }

  /// Whether a flush waits for what the disk says.
  private var continues: Bool { isFlushing && inFlight == nil }

  mutating func wasRead(
    _ events: [QueuedEvent], expired: Int, stored count: Int, at now: Duration
  ) -> [Action] {
    diskCount = count
    guard continues else { return [] }
    guard !events.isEmpty else {
      // All of them too old, or damaged: with each turn fewer are left.
      guard expired > 0 else {
        skipsDisk = skipsDisk || stored > 0
        return sendNext(at: now)
      }
      owedRemovals += expired
      return [.drop(.expired, [], count: expired)] + sendNext(at: now)
    }
    return send(events, from: .disk, stored: events.count + expired, expired: expired, at: now)
  }

  mutating func readFailed(at now: Duration) -> [Action] {
    guard continues else { return [] }
    skipsDisk = true
    return sendNext(at: now)
  }
}
