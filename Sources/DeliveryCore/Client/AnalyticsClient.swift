import MisterMetricsCore
import TelemetryCore

/// The driver around ``ClientCore``: handles calls from the mailbox, posts, waits, and writes records.
///
/// It makes no decisions. One exchange is in flight at a time, one timer waits for the core's next deadline, and one
/// task at a time writes records, so that a slow store delays only its own records.
package actor AnalyticsClient {
  private var core: ClientCore
  private let environment: DeliveryEnvironment
  private let options: InitOptions
  private let claim: FolderClaim?
  /// The mailbox of calls.
  package nonisolated let calls: CallQueue

  /// Maximum calls handled in one turn.
  private static let portion = 1000
  /// Calls after which due deadlines are handled, so that a burst does not delay the storing of its first events.
  private static let stretch = 64

  private var isReady = false
  private var hasEnded = false
  private var readyWaiters: [Waiter<Void>] = []
  private var endWaiters: [Waiter<Void>] = []
  private var exchange: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var timerDeadline: Duration?
  private var writtenRecords = 0

  /// Creates a client that has not started.
  ///
  /// - Parameter claim: The right to the folder, held as long as the client.
  package init(
    _ options: InitOptions, _ environment: DeliveryEnvironment, calls: CallQueue, claim: FolderClaim? = nil
  ) {
    self.claim = claim
    var environment = environment
    if let transport = options.transport { environment.transport = transport }
    if let monitor = options.networkMonitor { environment.network = monitor }
    self.environment = environment
    self.options = options
    self.calls = calls
    core = ClientCore(options, environment)
  }

  // MARK: Life

  /// Starts to handle calls once the previous client over the same files has ended.
  package func start(after previous: AnalyticsClient?) async {
    await previous?.untilQuiet()
    if let claim, !claim.take(again: true) { core.leaveFolder(claim.path) }
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

  /// Returns once the client is ready.
  package func untilReady() async {
    guard !isReady else { return }
    await withCheckedContinuation { continuation in
      readyWaiters.append(Waiter { continuation.resume() })
    }
  }

  /// Returns once the client has been reset.
  package func untilEnd() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { continuation in
      endWaiters.append(Waiter { continuation.resume() })
    }
  }

  /// Returns once the client has been reset and its last exchange has ended, with a limit of one second for the latter:
  /// two clients never post at the same time, unless a transport ignores cancellation.
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

  /// Accepts a call from any thread.
  package nonisolated func accept(_ call: Call) {
    // Detached: neither the caller's actor nor its priority may hold up delivery.
    if calls.append(call) { Task.detached { await self.drain() } }
  }

  /// Handles calls from the mailbox until it is empty.
  ///
  /// In portions, so that outcomes and deadlines are not delayed by a burst of calls.
  package func drain() {
    var room = Self.portion
    while room > 0 {
      let (waiting, pushedOut) = calls.take(room)
      if pushedOut > 0 { core.pushedOut(pushedOut) }
      if waiting.isEmpty { return }
      room -= waiting.count
      for (number, call) in waiting.enumerated() {
        if number % Self.stretch == Self.stretch - 1 { handleDeadlines() }
        core.handle(call)
        // Before callers waiting for the reset continue.
        if case .reset = call, core.lifecycle.state == .idle { end() }
        perform()
      }
    }
    Task.detached { await self.drain() }
  }

  private func handleDeadlines() {
    guard let deadline = core.nextDeadline, deadline <= environment.clock.now else { return }
    core.tick()
    perform()
  }

  // MARK: Effects

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
