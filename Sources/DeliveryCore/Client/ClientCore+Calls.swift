import Essentials

extension ClientCore {
  /// Handles a call of the app, or of a person in a simulation.
  package mutating func handle(_ call: Call, by initiator: DeliveryInitiator = .app) {
    begin(step: call.name, by: initiator)
    switch call {
    case .event(let draft, let leftOut, let moment):
      leftOutValues += leftOut
      enqueue(draft, at: moment)
    case .setAdvertisingID(let id): setAdvertisingID(id)
    case .setTracing(let isOn):
      isTracing = isOn
      recordAct(call.name, argument: isOn ? "on" : "off")
    case .enableDebugLogging:
      isDebugging = true
      recordAct(call.name)
    case .recordOpenedURL(let url, let source): recordOpenedURL(url, source: source)
    case .flush(let waiter):
      recordAct(call.name)
      if let waiter { flushWaiters.append(waiter) }
      handle(.flushRequested)
    case .anonymousID(let waiter): waiter.resume(currentAnonymousID())
    case .debugInfo(let waiter): waiter.resume(debugInfo())
    case .status(let waiter): waiter.resume(status)
    case .networkChanged(let isOnline): networkChanged(isOnline: isOnline)
    case .enterBackground(let waiter): enterBackground(waiter)
    case .enterForeground: enterForeground()
    case .terminate(let waiter):
      recordAct(call.name)
      handle(.terminated)
      if let waiter { effects.append(.resume(waiter)) }
    case .refusedEvents(let waiter): waiter.resume(refusedEvents)
    case .sendRefusedAgain: sendRefusedAgain()
    case .reset(let waiter): reset(waiter)
    }
    finishStep()
  }

  /// Counts calls dropped before they were handled.
  package mutating func pushedOut(_ number: Int) {
    begin(step: "pushedOut", by: .rule)
    count(.proxyFull, number)
    log(.warning, "Dropped \(number) \(number == 1 ? "call" : "calls"), \(DropCause.proxyFull.sentence).")
    finishStep()
  }

  /// Enriches an event and appends it to the queue.
  ///
  /// - Returns: The message id; `nil` if the event was refused.
  @discardableResult
  mutating func enqueue(_ draft: EventDraft, at moment: Date) -> String? {
    switch lifecycle.state {
    case .ready: break
    case .disabled:
      count(.disabled, 1)
      return nil
    case .idle, .initializing, .resetting:
      count(.invalidCall, 1)
      return nil
    }
    guard !draft.hasBlankID else {
      count(.invalidCall, 1)
      log(.warning, "\(draft.kind.rawValue) has a blank id: nothing is sent.")
      return nil
    }
    let id = draft.messageID ?? MessageID.make(at: moment, using: &generator)
    guard let draft = draft.enriched(by: options.enrich, messageID: id, identity: identity) else {
      count(.vetoed, 1)
      log(.debug, "\(draft.kind.rawValue) \(Masked.id(id)) was vetoed by the app.")
      return nil
    }
    adopt(draft)
    let event = writer.write(
      draft, identity: identity, context: context.json(advertisingID: identity.advertisingID), messageID: id,
      timestamp: moment)
    log(.debug, "\(draft.kind.rawValue) \(Masked.id(id)) is queued, \(event.bytes) bytes.")
    handle(.queued(event))
    return id
  }

  /// Adopts the identity in an event, and stores it before its first use.
  private mutating func adopt(_ draft: EventDraft) {
    switch draft.kind {
    case .identify, .alias:
      guard draft.userID != identity.userID else { return }
      identity.userID = draft.userID
      store { storage throws(StorageFailure) in try storage.set(draft.userID, .userID) }
    case .group:
      guard draft.groupID != identity.groupID else { return }
      identity.groupID = draft.groupID
      store { storage throws(StorageFailure) in try storage.set(draft.groupID, .groupID) }
    case .track, .screen, .page: break
    }
  }

  private mutating func setAdvertisingID(_ id: String?) {
    guard lifecycle.state == .ready else {
      return recordAct("setAdvertisingId", refused: lifecycle.state.rawValue)
    }
    if let id, UUID(uuidString: id) == nil {
      log(.warning, "The advertising id is not a UUID: it is not used.")
      return recordAct("setAdvertisingId", refused: "no UUID")
    }
    recordAct(id == nil ? "clearAdvertisingId" : "setAdvertisingId")
    guard id != identity.advertisingID else { return }
    identity.advertisingID = id
    store { storage throws(StorageFailure) in try storage.set(id, .advertisingID) }
  }

  private mutating func recordOpenedURL(_ url: String, source: String?) {
    let isKept = appLifecycle.recordOpenedURL(url, source: source)
    if !isKept { log(.warning, "recordOpenedURL does nothing: trackLifecycleEvents is off.") }
    recordAct("recordOpenedURL", refused: isKept ? nil : "trackLifecycleEvents is off")
  }

  private mutating func currentAnonymousID() -> String {
    // After a reset there is none until the next start, which then loads this one.
    if identity.anonymousID.isEmpty { identity = identityStorage.identity(using: &generator).identity }
    return identity.anonymousID
  }

  private mutating func networkChanged(isOnline: Bool) {
    handle(isOnline ? .networkFound : .networkLost)
  }

  private mutating func enterForeground() {
    recordAct("enterForeground")
    guard lifecycle.state == .ready else { return }
    let drafts = appLifecycle.enteredForeground()
    for draft in drafts { enqueue(draft, at: environment.clock.wallTime) }
    handle(.enteredForeground)
  }

  private mutating func enterBackground(_ waiter: Waiter<Void>?) {
    recordAct("enterBackground")
    guard lifecycle.state == .ready else {
      if let waiter { effects.append(.resume(waiter)) }
      return
    }
    let drafts = appLifecycle.enteredBackground()
    for draft in drafts { enqueue(draft, at: environment.clock.wallTime) }
    if let waiter { flushWaiters.append(waiter) }
    handle(.enteredBackground)
    if !machine.isFlushing { endFlush() }
  }

  private mutating func reset(_ waiter: Waiter<Void>?) {
    recordAct("reset")
    change(.reset)
    guard lifecycle.state == .resetting else {
      if let waiter { effects.append(.resume(waiter)) }
      return
    }
    handle(.stopped)
    identity = Identity(anonymousID: "")
    let (isClear, mark) = (isDiskClear, ResetMark(environment, options))
    keepRefused([])
    store { storage throws(StorageFailure) in
      try storage.wipe()
      if isClear { try mark.clear() }
    }
    storage = nil
    versionToStore = nil
    change(.wasReset)
    if let waiter { effects.append(.resume(waiter)) }
  }

  mutating func endFlush() {
    effects += flushWaiters.map { .resume($0) }
    flushWaiters = []
  }

  package mutating func count(_ cause: DropCause, _ count: Int, _ refusal: Refusal? = nil) {
    guard count > 0 else { return }
    dropped[cause, default: 0] += count
    recordDrop(cause, count, refusal)
  }
}
