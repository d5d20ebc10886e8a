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
    let deadline = environment.clock.now + delay
    queueDeadline = deadline
    queueTimer = wait(until: deadline, for: "sync of what was queued") {
      ($0.queueTimer, $0.queueDeadline) = (nil, nil)
      // Changes sent meanwhile need no run, and after a backoff one comes by itself.
      if $0.pending > 0, $0.isOnline, !$0.isBreakerOpen { $0.ask(.queue) }
    }
  }

  /// A run begins: it does what was waited for.
  func stopWaiting() {
    wakeTimer?.cancel()
    queueTimer?.cancel()
    (wakeTimer, queueTimer, queueDeadline) = (nil, nil, nil)
  }

  /// The trigger and time of the engine's next try by itself; `nil` during a run, without a network, and when nothing
  /// does.
  var nextTry: (trigger: SyncTrigger, at: Duration)? {
    guard machine.run == nil, isOnline, !isStopped else { return nil }
    if isBreakerOpen { return machine.breaker.until.map { (.backoff, $0) } }
    // A try that comes before the next one is due is refused.
    let queue = queueDeadline.flatMap { pending > 0 && $0 >= machine.retryUntil ?? $0 ? $0 : nil }
    let times = [(SyncTrigger.retry, machine.wakeUp), (.queue, queue)]
    return times.compactMap { trigger, at in at.map { (trigger, $0) } }.min { $0.1 < $1.1 }
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
