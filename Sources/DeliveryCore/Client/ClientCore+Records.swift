import Essentials
import Resilience
import TelemetryCore

/// The machine's state as last recorded, to detect changes.
struct RecordedState: Hashable {
  var queue: [Int] = []
  var oldest: Double?
  var next: NextAttempt?
  var breaker: CircuitBreaker?
  var breakerState: CircuitBreaker.State?
  var network = ""
}

extension ClientCore {
  /// Begins a step: everything recorded until its end belongs to it.
  package mutating func begin(step name: String, by initiator: DeliveryInitiator) {
    step.step += 1
    step.engineTime = environment.clock.now / .seconds(1)
    step.by = initiator
    step.cause = name
  }

  /// Ends a step and records its changes.
  mutating func finishStep() {
    guard options.metrics != nil else { return }
    recordQueue()
    recordBreaker()
    let network = networkStatus
    if network != recorded.network {
      let isFirst = recorded.network.isEmpty
      recorded.network = network
      if !isFirst { recordLifecycle(lifecycle.state, step.cause, lifecycle.state, isRefused: false) }
    }
  }

  /// Moves the lifecycle on, and records the transition.
  mutating func change(_ event: LifecycleMachine.Event) {
    let transition = lifecycle.handle(event)
    if transition.isRefused {
      log(.warning, "\(event.rawValue) is refused while the client is \(transition.from.rawValue).")
    } else {
      log(.debug, "The client is \(transition.to.rawValue).")
    }
    recordLifecycle(transition.from, event.rawValue, transition.to, isRefused: transition.isRefused)
  }

  private func recordLifecycle(
    _ from: LifecycleMachine.State, _ event: String, _ to: LifecycleMachine.State, isRefused: Bool
  ) {
    guard options.metrics != nil else { return }
    journal.add(
      DeliveryMetrics.lifecycle,
      DeliveryLifecycle(
        from: from.rawValue, to: to.rawValue, event: event, refused: isRefused, network: networkStatus,
        debug: debugText, branch: step.branch, step: step.step,
        engineTime: step.engineTime, by: step.by, cause: step.cause))
  }

  private var debugText: String {
    var bytes: [UInt8] = []
    PropertyWriter.append(.object(debugInfo()), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func recordAct(_ act: String, argument: String? = nil, refused: String? = nil) {
    guard options.metrics != nil else { return }
    journal.add(
      DeliveryMetrics.act,
      DeliveryAct(
        act: act, argument: argument, refused: refused, branch: step.branch, step: step.step,
        engineTime: step.engineTime, by: step.by))
  }

  func recordDrop(_ cause: DropCause, _ count: Int, _ refusal: Refusal?) {
    guard options.metrics != nil else { return }
    journal.add(
      DeliveryMetrics.drop,
      DeliveryDrop(
        cause: cause.rawValue, count: count, status: refusal?.status,
        answer: refusal?.answer.map { Masked.text($0, key: options.writeKey) },
        setAside: refusal == nil ? nil : refused?.count, branch: step.branch, step: step.step,
        engineTime: step.engineTime, by: step.by))
  }

  func recordBatch(_ sending: Sending, _ concluded: Concluded) {
    guard options.metrics != nil else { return }
    let batch = sending.batch
    journal.add(
      DeliveryMetrics.batch,
      DeliveryBatch(
        sequence: batch.sequence, size: batch.events.count, attempt: batch.attempt,
        status: concluded.status, error: concluded.error,
        latencyMs: (environment.clock.now - sending.start) / .milliseconds(1),
        maxBatchSize: batch.maxBatchSize, retryAfter: concluded.retryAfter.map { $0 / .seconds(1) },
        source: batch.source.rawValue, bytes: sending.bytes, detail: detail(of: concluded),
        first: batch.events.first?.messageID ?? "", last: batch.events.last?.messageID ?? "",
        branch: step.branch, step: step.step, engineTime: step.engineTime, by: step.by, cause: step.cause))
  }

  /// The endpoint's answer may repeat the events it was sent, so it is kept only in debug mode.
  private func detail(of concluded: Concluded) -> String? {
    guard concluded.error != nil || isDebugging else { return nil }
    return concluded.detail.map { Masked.text($0, key: options.writeKey) }
  }

  private mutating func recordQueue() {
    let queue = machine.queue
    let state = [queue.total, queue.totalBytes, machine.stored, machine.inFlight?.batch.events.count ?? 0]
    let oldest = oldestWaiting
    let now = environment.clock.now
    let next = machine.nextAttempt(at: now)
    guard state != recorded.queue || oldest != recorded.oldest || next != recorded.next else { return }
    recorded.queue = state
    recorded.oldest = oldest
    recorded.next = next
    journal.add(
      DeliveryMetrics.queue,
      DeliveryQueue(
        memory: state[0], memoryBytes: state[1], disk: state[2], inFlight: state[3], oldestAt: oldest,
        nextAt: next.map { calendar($0.at, now: now) }, nextCause: next?.cause.rawValue,
        branch: step.branch, step: step.step, engineTime: step.engineTime, by: step.by, cause: step.cause))
  }

  /// A time of the client's clock as calendar time of the journal, in seconds since 2001.
  private func calendar(_ moment: Duration, now: Duration) -> Double {
    journal.time.timeIntervalSinceReferenceDate + (moment - now) / .seconds(1)
  }

  private mutating func recordBreaker() {
    let now = environment.clock.now
    let state = machine.breaker.state(at: now)
    guard machine.breaker != recorded.breaker || state != recorded.breakerState else { return }
    recorded.breaker = machine.breaker
    recorded.breakerState = state
    journal.add(
      DeliveryMetrics.breaker,
      DeliveryBreaker(
        state: state.rawValue, failures: machine.breaker.consecutiveFailures,
        growth: Int(log2(machine.breaker.multiplier)),
        until: machine.breaker.until.map { calendar($0, now: now) },
        branch: step.branch, step: step.step, engineTime: step.engineTime, by: step.by, cause: step.cause))
  }
}
