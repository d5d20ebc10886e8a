import Resilience

/// The time of a machine's next automatic attempt, and the reason that it is not earlier.
package struct NextAttempt: Sendable, Hashable {
  /// The cause of the wait; the raw value appears in records.
  package enum Cause: String, Sendable, Hashable, CaseIterable {
    /// The flush timer.
    case timer
    /// The minimum wait after a failure.
    case floor
    /// The wait that the server requested.
    case retryAfter
    /// The end of the breaker's cooldown.
    case breaker
    /// The network is back, and must stay up for a while.
    case debounce
    /// Nothing: it is due.
    case atOnce

    /// A short description of the cause.
    package var words: String {
      switch self {
      case .timer: "the timer of flushes"
      case .floor: "the least wait after a failure"
      case .retryAfter: "what the endpoint asked for"
      case .breaker: "the end of the breaker's cooldown"
      case .debounce: "the network has stayed for a while"
      case .atOnce: "now, because it is overdue"
      }
    }
  }

  package let at: Duration
  package let cause: Cause

  package init(at moment: Duration, cause: Cause) {
    at = moment
    self.cause = cause
  }
}

extension DeliveryMachine {
  /// The next attempt if there are no calls and nothing else changes; `nil` if nothing is sent then.
  ///
  /// Also `nil` while a batch is in flight, since its outcome decides.
  package func nextAttempt(at now: Duration) -> NextAttempt? {
    guard phase == .running, inFlight == nil, !queue.isEmpty || stored > 0 else { return nil }
    let next: NextAttempt?
    switch network {
    case .offline: next = nil
    // Knowledge about the server is then forgotten, so no wait is longer than this one.
    case .returning(let moment): next = NextAttempt(at: moment, cause: .debounce)
    case .online: next = nextWhileOnline(at: now)
    }
    return next.map { $0.at > now ? $0 : NextAttempt(at: now, cause: .atOnce) }
  }

  private func nextWhileOnline(at now: Duration) -> NextAttempt? {
    // While a retry is scheduled, the timer sends nothing.
    guard let due = retryAt ?? timerAt else { return nil }
    let cooldown = now + breaker.remaining(at: now)
    let wait = max(notBefore ?? now, cooldown)
    guard retryAt != nil || wait > due else { return NextAttempt(at: due, cause: .timer) }
    let cause: NextAttempt.Cause =
      wait <= cooldown && wait > now ? .breaker : wait == askedUntil ? .retryAfter : .floor
    return NextAttempt(at: max(due, wait), cause: cause)
  }
}
