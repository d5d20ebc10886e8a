/// Possible next events of an engine known only by its record, and why the rest cannot happen.
///
/// It reads ``SyncRule/table`` as the machine does. What depends on the content of an event (a cursor, a number of
/// attempts) or on more than is recorded is taken as possible.
package struct EngineOptions: Hashable, Sendable {
  /// The state.
  package let state: SyncState.Kind
  /// The phase of the active run; `nil` when none is active.
  package let phase: SyncStateMachine.ActiveRun.Phase?
  /// True if the breaker is open at that moment.
  package let isBreakerOpen: Bool

  /// The outlook of a moment.
  package init(state: SyncState.Kind, phase: SyncStateMachine.ActiveRun.Phase?, isBreakerOpen: Bool) {
    self.state = state
    self.phase = phase
    self.isBreakerOpen = isBreakerOpen
  }

  /// The row that an event would take; `nil` when none fits.
  package func rule(for event: SyncEvent.Kind) -> SyncRule? {
    SyncRule.rows(of: event).first { $0.from.contains(state) && $0.guards.allSatisfy(mayHold) }
  }

  /// Why an event cannot happen now; `nil` when it can.
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
    // Whoever asks by hand does not wait for the next try.
    case .floorHolds: false
    case .attemptsLeft, .lastAttempt, .belowThreshold, .atThreshold, .needsBootstrap, .hasCursor,
      .cursorAdvances,
      .cursorStuck, .hasMorePages, .lastPage, .provenHealthy, .notProvenHealthy, .sessionLost, .sessionKept,
      .cursorExpired:
      true
    }
  }
}
