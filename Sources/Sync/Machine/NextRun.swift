import Resilience

/// The engine's next run of its own if there are no calls and nothing else changes, and the reason for its time.
package struct NextRun: Sendable, Hashable {
  /// The reason that it is not earlier, or that none is scheduled; the raw value appears in records.
  package enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The delay after a queued change.
    case queue
    /// The wait after a call without an answer.
    case floor
    /// The wait of a change that was refused or left out.
    case held
    /// The end of the breaker's backoff.
    case breaker
    /// The wait that the server requested.
    case retryAfter
    /// None is scheduled: the app has to ask.
    case app
    /// The network has to return.
    case network
    /// The active run has to end.
    case run
  }

  /// The time on the engine's clock; `nil` if none is scheduled.
  package let at: Duration?
  /// The trigger of the run.
  package let trigger: SyncTrigger?
  package let cause: Cause

  /// A scheduled run.
  init(at moment: Duration, _ trigger: SyncTrigger, _ cause: Cause) {
    (at, self.trigger, self.cause) = (moment, trigger, cause)
  }

  /// No scheduled run.
  init(none cause: Cause) { (at, trigger, self.cause) = (nil, nil, cause) }
}

extension SyncStateMachine {
  /// The next run of the engine's own, by the rules that will decide.
  ///
  /// A timer that fires while a rule stands against its run is set again only by ``SyncEngine/resetBreaker()``, so such
  /// a run is left out, as is one in the past.
  ///
  /// - Parameters:
  ///   - now: The engine's clock.
  ///   - queued: The time of the run for queued changes; `nil` if none is scheduled.
  ///   - isOnline: True if there is a network.
  package func nextRun(at now: Duration, queued: Duration?, isOnline: Bool) -> NextRun {
    guard run == nil else { return NextRun(none: .run) }
    guard isOnline else { return NextRun(none: .network) }
    let runs = [backoffRun, retryRun, queued.flatMap(queuedRun)].compactMap(\.self).filter { next in
      guard let at = next.at, let trigger = next.trigger, at >= now else { return false }
      return rule(for: .syncRequested(trigger), at: at)?.isRefusal == false
    }
    return runs.min { ($0.at ?? .zero) < ($1.at ?? .zero) } ?? NextRun(none: .app)
  }

  private var backoffRun: NextRun? {
    guard state.kind == .rateLimited, let until = breaker.until, let end = backoffEnd else { return nil }
    return NextRun(at: end, .backoff, end > until ? .retryAfter : .breaker)
  }

  private var retryRun: NextRun? {
    guard let wakeUp, let least = [retryUntil, heldUntil].compactMap(\.self).min() else { return nil }
    let cause: NextRun.Cause = least == retryUntil ? isRetryAsked ? .retryAfter : .floor : .held
    return NextRun(at: wakeUp, .retry, wakeUp > least ? .retryAfter : cause)
  }

  /// The run for queued changes, or that after Retry-After in its place.
  private func queuedRun(_ deadline: Duration) -> NextRun? {
    guard breaker.state(at: deadline) != .open else { return nil }
    guard let limitedUntil, isLimited(at: deadline) else { return NextRun(at: deadline, .queue, .queue) }
    return NextRun(at: limitedUntil, .retry, .retryAfter)
  }
}
