/// Possible next events of an engine known only from its records, with the reasons against the others.
///
/// Reads ``SyncRule/table`` as the machine does. Conditions on an event's content (a cursor, a number of attempts) or
/// on anything not recorded count as met.
package struct EngineOptions: Hashable, Sendable {
  /// The state.
  package let state: SyncState.Kind
  /// The phase of the active run; `nil` when none is active.
  package let phase: SyncStateMachine.ActiveRun.Phase?
  /// True if the breaker is open.
  package let isBreakerOpen: Bool
  /// True while the server's Retry-After holds every run back.
  package let isLimited: Bool

  /// Creates the options of one moment.
  package init(
    state: SyncState.Kind, phase: SyncStateMachine.ActiveRun.Phase?, isBreakerOpen: Bool,
    isLimited: Bool = false
  ) {
    self.isLimited = isLimited
    self.state = state
    self.phase = phase
    self.isBreakerOpen = isBreakerOpen
  }

  /// The row that would handle an event; `nil` if none matches.
  package func rule(for event: SyncEvent.Kind) -> SyncRule? {
    SyncRule.rows(of: event).first { $0.from.contains(state) && $0.guards.allSatisfy(mayHold) }
  }

  /// The reason that an event is impossible now; `nil` if it is possible.
  package func reason(against event: SyncEvent.Kind) -> String? {
    if let rule = rule(for: event) {
      return rule.isRefusal ? rule.guards.map(\.words).joined(separator: ", ") : nil
    }
    return SyncRule.reason(against: event, in: state, where: mayHold)
  }

  private func mayHold(_ condition: SyncGuard) -> Bool {
    switch condition {
    case .runActive: phase != nil
    case .noRunActive: phase == nil
    case .probing: phase == .probing
    case .pushing: phase == .pushing
    case .pullingChanges, .bootstrapping: phase == .pulling || phase == .bootstrapping
    case .breakerOpen: isBreakerOpen
    case .breakerNotOpen: !isBreakerOpen
    case .limitHolds: isLimited
    // Manual requests do not wait for the next retry.
    case .floorHolds: false
    case .attemptsLeft, .lastAttempt, .belowThreshold, .atThreshold, .needsBootstrap, .hasCursor,
      .cursorAdvances,
      .cursorStuck, .hasMorePages, .lastPage, .provenHealthy, .notProvenHealthy, .sessionLost, .sessionKept,
      .cursorExpired:
      true
    }
  }
}
