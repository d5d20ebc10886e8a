import DeliveryCore
import DeliverySimulation
package import Platform

extension DeliveryBreaker: BreakerStatement {}

extension ClientState {
  /// The end of the breaker's cooldown, or the time after which the next attempt or an answer is certainly missing.
  package var waitEnd: Timestamp? {
    [openUntil, nextAttempt.map { $0 + Self.timeout + 1 }, answerDue.map { $0 + Self.timeout + 1 }]
      .compactMap(\.self).max()
  }

  /// Maximum delay of an entry, in seconds, before the app counts as gone.
  static let timeout = 15.0

  /// The latest time at which the outcome of the batch in flight is recorded: then the client times out.
  var answerDue: Timestamp? {
    guard isSending, let flyingSince else { return nil }
    return flyingSince + DeliveryConfiguration().timeout / .seconds(1) + 1
  }

  package var progress: EngineProgress {
    EngineProgress(pending: waiting, breaker: breaker?.value, waiting: Self.wait(since: oldest?.seconds))
  }

  package static func fold(
    _ entry: DeliveryEntry, at time: Timestamp, into progress: inout EngineProgress
  ) {
    switch entry {
    case .queue(let queue):
      progress.replaceWaiting(wait(since: queue.oldestAt), at: time)
      progress.setPending(sum(max(0, queue.memory), max(0, queue.disk)), at: time)
    case .breaker(let breaker): progress.handle(breaker)
    case .batch(let batch):
      guard BatchResult(batch) == .delivered else { return }
      progress.acknowledged = sum(progress.acknowledged, max(0, batch.size))
    case .lifecycle, .drop, .act, .fault, .simulation, .configuration: break
    }
  }

  /// Only the oldest waiting event is recorded.
  private static func wait(since oldest: Double?) -> [String: Timestamp] {
    oldest.flatMap { $0.isFinite ? ["oldest": Timestamp($0)] : nil } ?? [:]
  }

  /// Folds one entry.
  package mutating func handle(_ entry: DeliveryEntry, at time: Timestamp) {
    basics.lastTime = time
    switch entry {
    case .batch(let batch): handle(batch, at: time)
    case .queue(let queue): handle(queue, at: time)
    case .breaker(let breaker): basics.handle(breaker, at: time)
    case .lifecycle(let lifecycle): handle(lifecycle, at: time)
    case .drop(let drop):
      drops[drop.cause, default: 0] = Self.sum(drops[drop.cause] ?? 0, max(0, drop.count))
      if drops.count > Self.causeLimit { drops[drop.cause] = nil }
      if Self.isLoss(drop.cause) { lastLoss = time }
      if let total = drop.setAside { (setAside, lastRefusal) = (max(0, total), drop) }
    case .act(let act): handle(act, at: time)
    case .fault(let fault): basics.handle(RecordedFault(fault), at: time)
    case .simulation(let new):
      if simulation?.alive == true, !new.alive { processEnded(at: time) }
      noteLost(Self.sum(max(0, new.lost), -max(0, simulation?.lost ?? 0)), at: time)
      basics.simulation = new
    case .configuration(let new):
      batchSize.configure(from: constants.batchSize, to: new.batchSize)
      constants = new
    }
    note(entry, at: time)
  }

  /// Maximum number of distinct causes; the client has thirteen.
  private static let causeLimit = 50

  /// Events that ended with the process; no client is left to record them.
  private mutating func noteLost(_ count: Int, at time: Timestamp) {
    guard count > 0 else { return }
    drops[Self.killed] = Self.sum(drops[Self.killed] ?? 0, count)
    lastLoss = time
  }

  // MARK: Batches

  private mutating func handle(_ batch: DeliveryBatch, at time: Timestamp) {
    if attempts < .max { attempts += 1 }
    lastBatch = RecordedValue(time: time, value: batch)
    // If another batch follows at once, it starts now.
    flyingSince = time
    let result = BatchResult(batch)
    // A batch from memory that was stored on its way counts as one from disk.
    let isStored = disk >= max(1, batch.size) && isSending
    batchSize.handle(batch, result, isStored: isStored)
    switch result {
    case .delivered:
      lastDelivery = RecordedValue(time: time, value: batch)
      deliveredBatches = Self.sum(deliveredBatches, 1)
      deliveredEvents = Self.sum(deliveredEvents, max(0, batch.size))
      failures = Failures()
    case .repeated: failures.handle(batch)
    case .halved, .refused, .givenUp: failures = Failures()
    case .disabled:
      failures = Failures()
      disabledBy = batch.status
    }
  }

  private mutating func handle(_ queue: DeliveryQueue, at time: Timestamp) {
    if queue.inFlight > 0 {
      if !isSending { flyingSince = time }
      noteSource(of: queue)
    } else {
      flyingSince = nil
    }
    self.queue = RecordedValue(time: time, value: queue)
    let depth = Depth(memory: max(0, queue.memory), disk: max(0, queue.disk))
    peak = max(peak, depth.total)
    guard depth != depths.last?.value else { return }
    EngineBasics<Record, Entry>.append(depth, at: time, to: &depths)
  }

  /// A batch from memory leaves it when it is sent; one from disk stays there until it is delivered.
  private mutating func noteSource(of new: DeliveryQueue) {
    guard !isSending || flyingSince == lastBatch?.time else { return }
    // The event that filled the batch may have arrived in the same step.
    let left = Self.sum(waiting, -Self.sum(max(0, new.memory), max(0, new.disk)))
    isFromDisk = left < max(1, new.inFlight - 1) && new.disk >= new.inFlight
  }

  // MARK: The client

  private mutating func handle(_ record: DeliveryLifecycle, at time: Timestamp) {
    debug = record.debug
    let facts = DebugFacts(debug)
    (setAside, isFolderInUse) = (max(0, facts.setAside ?? 0), facts.isFolderInUse)
    if record.network != network {
      // Failures recorded before the outage say nothing about the endpoint now.
      if network == NetworkName.returning, record.network == NetworkName.online { failures = Failures() }
      network = record.network
      networkSince = time
    }
    guard !record.refused, let to = LifecycleMachine.State(rawValue: record.to) else { return }
    if record.from != record.to || lifecycle == nil { lifecycleSince = time }
    lifecycle = to
    switch LifecycleMachine.Event(rawValue: record.event) {
    case .initialize:
      // A new client has no knowledge of the previous one.
      forgetClient()
      (endedAt, isForeground) = (nil, true)
    case .wasReset:
      forgetClient()
    case .initialized, .failed, .reset, .refused, nil: break
    }
  }

  private mutating func forgetClient() {
    failures = Failures()
    batchSize.restart()
    (disabledBy, flyingSince) = (nil, nil)
  }

  private mutating func handle(_ act: DeliveryAct, at time: Timestamp) {
    guard act.refused == nil else { return }
    switch act.act {
    case "enterBackground": isForeground = false
    case "enterForeground": isForeground = true
    case "terminate": endedAt = time
    case "sendRefusedAgain": setAside = 0
    default: break
    }
  }

  /// Data held only in memory is lost, and no batch is in flight any more.
  private mutating func processEnded(at time: Timestamp) {
    endedAt = time
    (flyingSince, failures) = (nil, Failures())
  }

  // MARK: The timeline

  private mutating func note(_ entry: DeliveryEntry, at time: Timestamp) {
    settle(entry.step, at: time)
    var isFailure = false
    switch entry {
    case .queue, .simulation, .configuration: return
    case .batch(let batch): isFailure = BatchResult(batch) != .delivered
    case .breaker, .lifecycle, .drop, .act, .fault: break
    }
    basics.timeline.add(entry, at: time, isFailure: isFailure)
  }

  /// Records that the newest entries of a step are not its last ones.
  private mutating func settle(_ step: Int?, at time: Timestamp) {
    guard let step else { return }
    for happening in timeline.list.reversed() {
      // Each process restarts the step count.
      guard happening.entry.step == step, time - happening.time < 1 else { return }
      basics.timeline.change(happening.number) { $0.settled = max($0.settled, time) }
    }
  }

  // MARK: By hand

  package func deed(in entry: DeliveryEntry, isDue: Bool) -> EngineDeed? {
    switch entry {
    // The configuration entry describes this change in more detail.
    case .act(let act) where act.by == .person && act.act != "configure":
      .once(act.act + (act.argument.map { " \($0)" } ?? ""))
    case .fault(let fault) where fault.by == .person: .once(DeliveryFormatter.deed(fault))
    case .configuration(let new):
      isDue || new == constants
        ? nil
        : .once(EngineFormatter.difference(DeliveryTuning.facts(constants), DeliveryTuning.facts(new)))
    case .act, .fault, .batch, .queue, .breaker, .lifecycle, .drop, .simulation: nil
    }
  }
}

extension RecordedFault {
  fileprivate init(_ fault: DeliveryFault) {
    self.init(
      fault: fault.fault, amount: fault.amount, probability: fault.probability, scope: fault.scope,
      isOn: fault.on, isByHand: fault.by == .person)
  }
}

/// The fate of the events of a batch.
enum BatchResult: Hashable {
  case delivered
  /// Kept, to be sent again after a wait.
  case repeated
  /// Kept, to be sent again at once in smaller batches.
  case halved
  /// Dropped with the batch.
  case refused
  /// Dropped with everything else: the client is disabled.
  case disabled
  /// Abandoned by the client itself.
  case givenUp

  init(_ batch: DeliveryBatch) {
    guard let status = batch.status else {
      self = batch.error == "stale" ? .givenUp : batch.error == "notEncodable" ? .refused : .repeated
      return
    }
    self =
      switch AnswerRule(status: status, size: batch.size) {
      case .delivered: .delivered
      case .retry, .rateLimited, .unanswered: .repeated
      case .halve: .halved
      case .drop: .refused
      case .disable: .disabled
      }
  }
}

/// The states of the network, as recorded.
enum NetworkName {
  static let online = "online"
  static let offline = "offline"
  static let returning = "returning"
}

extension ClientState.Failures {
  fileprivate mutating func handle(_ batch: DeliveryBatch) {
    let name = DeliveryFormatter.reason(batch)
    // A record may begin in the middle of a series of attempts.
    let isWhole = batch.attempt == count + 1
    reason = isWhole && (count == 0 || reason == name) ? name : nil
    count = max(1, batch.attempt)
    last = name
    asked = batch.retryAfter.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}

extension ClientState.BatchSize {
  fileprivate mutating func handle(_ batch: DeliveryBatch, _ result: BatchResult, isStored: Bool) {
    let isFromDisk = batch.source == DeliveryMachine.Source.disk.rawValue
    first = max(first, batch.maxBatchSize, 1)
    let size = isStored && !isFromDisk ? disk ?? first : max(1, batch.maxBatchSize)
    var next = size
    switch result {
    case .delivered: next = size >= first - size ? first : size * 2
    case .halved:
      next = max(1, batch.size / 2)
      if halvings < .max { halvings += 1 }
    case .repeated, .refused, .disabled, .givenUp: break
    }
    if isFromDisk || isStored { disk = next } else { memory = next }
  }

  /// Adopts a new maximum batch size; a size that the endpoint has reduced stays reduced.
  fileprivate mutating func configure(from old: Int, to new: Int) {
    func size(_ size: Int?) -> Int? { size.map { $0 >= max(1, old) ? max(1, new) : min($0, max(1, new)) } }
    (memory, disk, first) = (size(memory), size(disk), max(1, new))
  }

  /// A new client starts with the maximum.
  fileprivate mutating func restart() { (memory, disk) = (nil, nil) }
}
