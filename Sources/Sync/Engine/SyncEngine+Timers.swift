import Resilience

extension SyncEngine {
  /// Begins to wait for the end of the breaker's backoff.
  func startTimer() {
    guard let deadline = machine.breaker.until else { return }
    timer?.cancel()
    timer = wait(until: deadline, for: "half-open probe") { if $0.isOnline { $0.come(.backoffElapsed) } }
  }

  /// Ends the wait for the end of the breaker's backoff.
  func cancelTimer() {
    timer?.cancel()
    timer = nil
  }

  /// Begins to wait for what the engine has to try by itself.
  func waitForNextTry() {
    wakeTimer?.cancel()
    wakeTimer = machine.wakeUp.map { moment in
      wait(until: moment, for: "next try") { if $0.isOnline, !$0.isBreakerOpen { $0.come(.retryElapsed) } }
    }
  }

  /// Begins to wait for the moment to ask for a run because of what was queued, unless that is under way.
  func waitForQueue() {
    watchNetwork()
    machine.noteQueued()
    guard let delay = machine.configuration.queueDelay, queueTimer == nil, !isStopped else { return }
    queueTimer = wait(until: environment.clock.now + delay, for: "sync of what was queued") {
      $0.queueTimer = nil
      // What was sent meanwhile needs no run, and after a backoff one comes by itself.
      if $0.pending > 0, $0.isOnline, !$0.isBreakerOpen { $0.ask(.queue) }
    }
  }

  /// A run begins: it does what was waited for.
  func stopWaiting() {
    wakeTimer?.cancel()
    queueTimer?.cancel()
    (wakeTimer, queueTimer) = (nil, nil)
  }

  private func come(_ event: SyncEvent) {
    _ = decide(event)
    writeRecord()
  }

  /// Does something at a moment of the engine's clock; who lets go of the engine is not to hear of it again.
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
