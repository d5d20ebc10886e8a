/// What can happen next to an engine of which only its record is known, and why the rest cannot.
///
/// It reads ``SyncRule/table`` as the machine does. What depends on the content of an event (a cursor, a number of
/// attempts) or on more than is recorded is taken as possible.
public struct EngineOptions: Hashable, Sendable {
  /// The state.
  public let state: SyncState.Kind
  /// What the active run does; `nil` when none is active.
  public let phase: SyncStateMachine.ActiveRun.Phase?
  /// Whether the breaker is open at that moment.
  public let isBreakerOpen: Bool

  /// The outlook of a moment.
  public init(state: SyncState.Kind, phase: SyncStateMachine.ActiveRun.Phase?, isBreakerOpen: Bool) {
    self.state = state
    self.phase = phase
    self.isBreakerOpen = isBreakerOpen
  }

  /// The row that an event would take; `nil` when none fits.
  public func rule(for event: SyncEvent.Kind) -> SyncRule? {
    SyncRule.rows(of: event).first { $0.from.contains(state) && $0.guards.allSatisfy(mayHold) }
  }

  /// Why an event cannot happen now; `nil` when it can.
  public func reason(against event: SyncEvent.Kind) -> String? {
    if let rule = rule(for: event) {
      return rule.isRefusal ? rule.guards.map(\.words).joined(separator: ", ") : nil
    }
    let rows = SyncRule.rows(of: event)
    guard let nearest = rows.first(where: { $0.from.contains(state) }) else {
      let states = Set(rows.flatMap(\.from)).map(\.rawValue).sorted()
      return "only in state " + states.joined(separator: " or ")
    }
    return "only when " + nearest.guards.filter { !mayHold($0) }.map(\.words).joined(separator: " and ")
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
    case .attemptsLeft, .lastAttempt, .belowThreshold, .atThreshold, .needsBootstrap, .hasCursor,
      .cursorAdvances,
      .cursorStuck, .hasMorePages, .lastPage, .provenHealthy, .notProvenHealthy:
      true
    }
  }
}
