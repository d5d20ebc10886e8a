extension ClientCore {
  mutating func read(_ limit: Int) -> DeliveryMachine.Event {
    guard let storage else { return .readFailed }
    do {
      let events = try storage.first(limit)
      noteDamage(of: storage)
      let now = environment.clock.wallTime
      let fresh = events.filter { !EventAge.isExpired($0, now: now) }
      return .wasRead(fresh, expired: events.count - fresh.count, stored: storage.count)
    } catch {
      failed("read", error)
      return .readFailed
    }
  }

  mutating func store(_ events: [QueuedEvent], _ place: DeliveryMachine.Place) -> DeliveryMachine.Event {
    guard let storage else { return .storeFailed(place, events) }
    do {
      switch place {
      case .beforeOldest: try storage.prepend(events)
      case .behindNewest: try storage.append(events)
      }
      noteKept(events)
      noteStored(events, place)
      log(.debug, "\(events.count) events are on disk.")
      return .wasStored(count: events.count, stored: storage.count)
    } catch {
      failed("written", error)
      return .storeFailed(place, events)
    }
  }

  mutating func remove(_ count: Int) -> DeliveryMachine.Event {
    guard let storage else { return .removeFailed }
    do {
      try storage.removeFirst(count)
      oldestStored = .unknown
      return .wasRemoved(stored: storage.count)
    } catch {
      failed("cleared of what was delivered", error)
      return .removeFailed
    }
  }

  mutating func clearDisk() {
    guard let storage else { return }
    oldestStored = .unknown
    do { try storage.removeAll() } catch { failed("cleared", error) }
  }

  private mutating func failed(_ verb: String, _ failure: StorageFailure) {
    log(.error, "The events on disk cannot be \(verb): \(failure.message)")
    effects.append(.report(DeliveryError(.storage, failure.message)))
  }

  /// Counts and reports the events that the storage found damaged.
  mutating func noteDamage(of storage: any EventStorage) {
    let damage = storage.takeDamage()
    guard !damage.isEmpty else { return }
    count(.damaged, damage.events)
    var parts: [String] = []
    if damage.events > 0 {
      parts.append("\(damage.events) damaged \(damage.events == 1 ? "event was" : "events were") skipped")
    }
    if !damage.files.isEmpty { parts.append("set aside: \(damage.files.joined(separator: ", "))") }
    let text = "The events on disk are damaged: \(parts.joined(separator: "; "))."
    log(.error, text)
    effects.append(.report(DeliveryError(.damaged, text)))
  }

  /// Stores the app version once the event that reports it can no longer be lost.
  mutating func noteKept(_ events: [QueuedEvent]) {
    guard let version = versionToStore, events.contains(where: { $0.messageID == version.messageID }) else {
      return
    }
    versionToStore = nil
    store { storage throws(StorageFailure) in
      try storage.setApp(version: version.version.version, build: version.version.build)
    }
  }
}
