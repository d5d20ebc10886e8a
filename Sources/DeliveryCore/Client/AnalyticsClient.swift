import MisterMetricsCore
import TelemetryCore

/// The driver around ``ClientCore``: takes calls from the mailbox, posts, waits, and writes the records.
///
/// It decides nothing. One exchange is in flight at a time, one timer waits for the core's next deadline, and one task at
/// a time writes records, so that a store that is slow delays nothing but its records.
package actor AnalyticsClient {
  private var core: ClientCore
  private let environment: DeliveryEnvironment
  private let options: InitOptions
  /// Where its calls come from.
  package nonisolated let calls: CallQueue

  /// Calls that are handled in one go.
  private static let portion = 1000

  private var isReady = false
  private var hasEnded = false
  private var readyWaiters: [Waiter<Void>] = []
  private var endWaiters: [Waiter<Void>] = []
  private var exchange: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var timerDeadline: Duration?
  private var writtenRecords = 0

  /// A client that has done nothing yet.
  package init(_ options: InitOptions, _ environment: DeliveryEnvironment, calls: CallQueue) {
    var environment = environment
    if let transport = options.transport { environment.transport = transport }
    if let monitor = options.networkMonitor { environment.network = monitor }
    self.environment = environment
    self.options = options
    self.calls = calls
    core = ClientCore(options, environment)
  }

  // MARK: Life

  /// Gets ready and takes calls, after another client over the same files has ended.
  package func start(after previous: AnalyticsClient?) async {
    await previous?.untilQuiet()
    if let call = calls.takeOpenedURL() { core.handle(call) }
    core.begin()
    perform()
    isReady = true
    let starts = calls.open()
    environment.network.start { [weak self] isOnline in self?.accept(.networkChanged(isOnline: isOnline)) }
    if starts { drain() }
    for waiter in readyWaiters { waiter.resume() }
    readyWaiters = []
  }

  /// Returns when the client is ready.
  package func untilReady() async {
    guard !isReady else { return }
    await withCheckedContinuation { continuation in
      readyWaiters.append(Waiter { continuation.resume() })
    }
  }

  /// Returns when the client was reset.
  package func untilEnd() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { continuation in
      endWaiters.append(Waiter { continuation.resume() })
    }
  }

  /// Returns when the client was reset and its last exchange is over too, or had a second for that: two clients do not
  /// post at once, unless a transport does not heed that it was cancelled.
  private func untilQuiet() async {
    await untilEnd()
    guard let exchange else { return }
    let clock = environment.clock
    await withCheckedContinuation { continuation in
      let waiter = Waiter<Void> { continuation.resume() }
      let pause = Task.detached {
        try? await clock.sleep(until: clock.now + .seconds(1))
        waiter.resume()
      }
      Task.detached {
        await exchange.value
        pause.cancel()
      }
    }
  }

  private func end() {
    hasEnded = true
    environment.network.stop()
    timer?.cancel()
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }

  // MARK: Calls

  /// Takes a call, from any thread.
  package nonisolated func accept(_ call: Call) {
    // Detached: neither the caller's actor nor its priority may hold up delivery.
    if calls.append(call) { Task.detached { await self.drain() } }
  }

  /// Handles what waits in the mailbox, until nothing does.
  ///
  /// In portions: outcomes and deadlines must not wait for the end of a storm.
  package func drain() {
    var room = Self.portion
    while room > 0 {
      let (waiting, pushedOut) = calls.take(room)
      if pushedOut > 0 { core.pushedOut(pushedOut) }
      if waiting.isEmpty { return }
      room -= waiting.count
      for call in waiting {
        core.handle(call)
        // Before callers that wait for the reset continue.
        if case .reset = call, core.lifecycle.state == .idle { end() }
        perform()
      }
    }
    Task.detached { await self.drain() }
  }

  // MARK: What the core asks for

  private func perform() {
    for effect in core.takeEffects() {
      switch effect {
      case .send(let request, let sequence): send(request, sequence)
      case .cancel: exchange?.cancel()
      case .resume(let waiter): waiter.resume()
      case .report(let error): options.onError?(error)
      }
    }
    armTimer()
    writeRecords()
  }

  private func send(_ request: DeliveryRequest, _ sequence: Int) {
    let transport = environment.transport
    exchange = Task.detached { [weak self] in
      let result: Result<DeliveryAnswer, TransportFailure>
      do throws(TransportFailure) { result = .success(try await transport.post(request)) } catch {
        result = .failure(error)
      }
      await self?.conclude(sequence, result)
    }
  }

  private func conclude(_ sequence: Int, _ result: Result<DeliveryAnswer, TransportFailure>) {
    core.conclude(sequence, result)
    perform()
  }

  private func armTimer() {
    let deadline = hasEnded ? nil : core.nextDeadline
    guard deadline != timerDeadline else { return }
    timer?.cancel()
    timerDeadline = deadline
    guard let deadline else { return }
    let clock = environment.clock
    timer = Task.detached { [weak self] in
      do { try await clock.sleep(until: deadline) } catch { return }
      await self?.tick(deadline)
    }
  }

  private func tick(_ deadline: Duration) {
    guard deadline == timerDeadline else { return }
    timerDeadline = nil
    core.tick()
    perform()
  }

  private func writeRecords() {
    guard let store = options.metrics, core.journal.added != writtenRecords else { return }
    writtenRecords = core.journal.added
    let journal = core.journal
    Task.detached { await journal.write(to: store) }
  }
}
