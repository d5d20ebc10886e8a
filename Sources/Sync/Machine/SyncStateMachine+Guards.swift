import Resilience

extension SyncStateMachine {
  /// The row that decides on an event, or `nil`.
  func rule(for event: SyncEvent, at now: Duration) -> SyncRule? {
    SyncRule.rows(of: event.kind).first { rule in
      rule.from.contains(state.kind) && rule.guards.allSatisfy { holds($0, for: event, at: now) }
    }
  }

  /// Whether a condition of a row holds.
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
    case .needsBootstrap: cursor == 0 || wantsResync
    case .hasCursor: cursor != 0 && !wantsResync
    case .cursorAdvances: page(of: event).cursor > cursor
    case .cursorStuck: page(of: event).hasMore && page(of: event).cursor <= cursor
    case .hasMorePages: page(of: event).hasMore
    case .lastPage: !page(of: event).hasMore
    case .provenHealthy: run.map { $0.followsBackoff && $0.rateLimits == 0 } ?? false
    case .notProvenHealthy: !(run.map { $0.followsBackoff && $0.rateLimits == 0 } ?? false)
    }
  }

  /// Whether one more 429 trips the breaker: at the threshold, and after a backoff in any case.
  private func tripsNext(at now: Duration) -> Bool {
    breaker.state(at: now) != .closed || breaker.consecutiveFailures + 1 >= configuration.breaker.threshold
  }

  private func attempts(of event: SyncEvent) -> Int {
    if case .pushFailed(let attempts, _) = event { attempts } else { 0 }
  }

  private func page(of event: SyncEvent) -> (cursor: Int64, hasMore: Bool) {
    if case .pageApplied(let cursor, _, let hasMore) = event { (cursor, hasMore) } else { (0, false) }
  }

  /// Why a refusing row turned the event away.
  func refusal(by rule: SyncRule, at now: Duration) -> String {
    rule.guards.contains(.breakerOpen)
      ? "the breaker is open for another \(Self.seconds(breaker.remaining(at: now)))"
      : rule.guards.map(\.words).joined(separator: ", ")
  }

  /// Why no row fits an event: what the nearest row still asks for.
  public func reason(against event: SyncEvent, at now: Duration) -> String {
    let rows = SyncRule.rows(of: event.kind)
    let here = rows.filter { $0.from.contains(state.kind) }
    guard let nearest = here.first else {
      let states = Set(rows.flatMap(\.from)).map(\.rawValue).sorted().joined(separator: " or ")
      return "only in state \(states)"
    }
    let missing = nearest.guards.filter { !holds($0, for: event, at: now) }
    return "only when " + missing.map(\.words).joined(separator: " and ")
  }

  /// A wait in seconds with one decimal, rounded up so that it never reads as over while it is not.
  static func seconds(_ duration: Duration) -> String {
    let tenths = (duration / Duration.milliseconds(100)).rounded(.up)
    return "\(tenths / 10) s"
  }
}

extension SyncRule {
  private static let byEvent = Dictionary(grouping: table, by: \.event)

  /// The rows of one event, in the order of the table.
  static func rows(of event: SyncEvent.Kind) -> [SyncRule] { byEvent[event] ?? [] }
}
