import Resilience

extension SyncEngine {
  /// Starts the timer for the end of the breaker's backoff.
  func startTimer() {
    guard let deadline = machine.backoffEnd else { return }
    timer?.cancel()
    timer = wait(until: deadline, for: "half-open probe") { if $0.isOnline { $0.come(.backoffElapsed) } }
  }

  func cancelTimer() {
    timer?.cancel()
    timer = nil
  }

  /// Starts the timer for the engine's next run of its own.
  func waitForNextTry() {
    wakeTimer?.cancel()
    wakeTimer = machine.wakeUp.map { moment in
      wait(until: moment, for: "next try") { if $0.isOnline, !$0.isBreakerOpen { $0.come(.retryElapsed) } }
    }
  }

  /// Starts the timer for a run that pushes queued changes, unless it is running.
  func waitForQueue() {
    watchNetwork()
    machine.noteQueued()
    guard let delay = machine.configuration.queueDelay, queueTimer == nil, !isStopped else { return }
    let deadline = environment.clock.now + delay
    queueDeadline = deadline
    queueTimer = wait(until: deadline, for: "sync of what was queued") {
      ($0.queueTimer, $0.queueDeadline) = (nil, nil)
      // Changes sent in the meantime need no run.
      if $0.pending > 0, $0.isOnline, !$0.isErasing { $0.askForQueue() }
    }
  }

  /// Requests a run for what is queued, now or when the server's Retry-After or the breaker's backoff is over.
  private func askForQueue() {
    // One follows the backoff anyway, and a reset.
    guard !isBreakerOpen else { return machine.noteHeld(until: environment.clock.now) }
    guard let limit = machine.limitedUntil, machine.isLimited(at: environment.clock.now) else {
      ask(.queue)
      return
    }
    machine.noteHeld(until: limit)
    waitForNextTry()
  }

  /// Cancels the timers: the run that begins does their work.
  func stopWaiting() {
    wakeTimer?.cancel()
    queueTimer?.cancel()
    (wakeTimer, queueTimer, queueDeadline) = (nil, nil, nil)
  }

  /// The engine's next run of its own.
  var nextRun: NextRun {
    guard !isStopped else { return NextRun(none: .app) }
    return machine.nextRun(
      at: environment.clock.now, queued: pending > 0 ? queueDeadline : nil, isOnline: isOnline)
  }

  private func come(_ event: SyncEvent) {
    _ = decide(event)
    writeRecord()
  }

  /// Runs an action at a time of the engine's clock; the timer does not retain the engine.
  private func wait(
    until deadline: Duration, for purpose: String, then: @escaping @Sendable (isolated SyncEngine) -> Void
  ) -> Task<Void, Never> {
    let clock = environment.clock
    return environment.tasks.start { [weak self] in
      guard (try? await clock.sleep(until: deadline, for: purpose)) != nil else { return }
      await self?.perform(then)
    }
  }

  private func perform(_ body: @Sendable (isolated SyncEngine) -> Void) { body(self) }
}
