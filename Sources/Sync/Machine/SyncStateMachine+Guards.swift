import Resilience

extension SyncStateMachine {
  /// The row for an event, or `nil`.
  func rule(for event: SyncEvent, at now: Duration) -> SyncRule? {
    SyncRule.rows(of: event.kind).first { rule in
      rule.from.contains(state.kind) && rule.guards.allSatisfy { holds($0, for: event, at: now) }
    }
  }

  /// True if a row's condition holds.
  func holds(_ condition: SyncGuard, for event: SyncEvent, at now: Duration) -> Bool {
    switch condition {
    case .runActive: run != nil
    case .noRunActive: run == nil
    case .probing: run?.phase == .probing
    case .pushing: run?.phase == .pushing
    case .pullingChanges: run?.phase == .pulling
    case .bootstrapping: run?.phase == .bootstrapping
    case .breakerOpen: breaker.state(at: now) == .open
    case .breakerNotOpen: breaker.state(at: now) != .open
    case .attemptsLeft: attempts(of: event) < configuration.attempts
    case .lastAttempt: attempts(of: event) >= configuration.attempts
    case .belowThreshold: !tripsNext(at: now)
    case .atThreshold: tripsNext(at: now)
    case .needsBootstrap: cursor.isStart || wantsResync || !missingKinds.isEmpty
    case .hasCursor: !cursor.isStart && !wantsResync && missingKinds.isEmpty
    case .cursorAdvances: movesOn(to: page(of: event).cursor)
    case .cursorStuck: page(of: event).hasMore && !movesOn(to: page(of: event).cursor)
    case .hasMorePages: page(of: event).hasMore
    case .lastPage: !page(of: event).hasMore
    case .provenHealthy: run.map { $0.followsBackoff && $0.rateLimits == 0 } ?? false
    case .notProvenHealthy: !(run.map { $0.followsBackoff && $0.rateLimits == 0 } ?? false)
    case .sessionLost: event.failure?.isSessionLost ?? false
    case .sessionKept: !(event.failure?.isSessionLost ?? false)
    case .cursorExpired: event.failure?.code == .cursorExpired
    case .floorHolds: mustWait(event, at: now)
    case .limitHolds: isLimited(at: now)
    }
  }

  /// True if one more 429 trips the breaker: at the threshold, and always after a backoff.
  private func tripsNext(at now: Duration) -> Bool {
    breaker.state(at: now) != .closed || breaker.consecutiveFailures + 1 >= configuration.breaker.threshold
  }

  private func mustWait(_ event: SyncEvent, at now: Duration) -> Bool {
    guard case .syncRequested(let trigger) = event, trigger.heedsFloor, let retryUntil else { return false }
    return retryUntil > now
  }

  private func attempts(of event: SyncEvent) -> Int {
    if case .pushFailed(_, let attempts) = event { attempts } else { 0 }
  }

  private func page(of event: SyncEvent) -> (cursor: SyncCursor, hasMore: Bool) {
    if case .pageApplied(let cursor, _, let hasMore) = event { (cursor, hasMore) } else { (.start, false) }
  }

  /// The reason that a row refused the event.
  func refusal(by rule: SyncRule, at now: Duration) -> String {
    if rule.guards.contains(.breakerOpen) {
      return "the breaker is open for another \(Self.seconds(breaker.remaining(at: now)))"
    }
    if rule.guards.contains(.limitHolds), let limitedUntil {
      return "the server asks to wait for another \(Self.seconds(limitedUntil - now))"
    }
    if rule.guards.contains(.floorHolds), let retryUntil {
      return "the next try is due in \(Self.seconds(retryUntil - now))"
    }
    return rule.guards.map(\.words).joined(separator: ", ")
  }

  /// The reason that no row matches an event: the unmet condition of the nearest row.
  package func reason(against event: SyncEvent, at now: Duration) -> String {
    SyncRule.reason(against: event.kind, in: state.kind) { holds($0, for: event, at: now) }
  }

  /// A wait in seconds with one decimal, rounded up so that it never reads as over too early.
  static func seconds(_ duration: Duration) -> String {
    let tenths = (duration / Duration.milliseconds(100)).rounded(.up)
    return "\(tenths / 10) s"
  }
}

extension SyncRule {
  private static let byEvent = Dictionary(grouping: table, by: \.event)

  /// The rows for one event, in table order.
  static func rows(of event: SyncEvent.Kind) -> [SyncRule] { byEvent[event] ?? [] }
}
