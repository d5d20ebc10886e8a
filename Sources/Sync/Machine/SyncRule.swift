/// One row of the transition table.
///
/// Rows are data: the machine interprets them, and tests, diagrams and screens read the same rows.
package struct SyncRule: Hashable, Sendable {
  /// The target of a transition.
  package enum Target: Hashable, Sendable {
    /// The state stays, with its associated values.
    case same
    /// The named state.
    case state(SyncState.Kind)
  }

  /// The row's number in docs/sync-engine.md, with a letter if several rows here make up one there.
  package let number: String
  /// The states in which the row applies.
  package let from: Set<SyncState.Kind>
  /// The event.
  package let event: SyncEvent.Kind
  /// Further conditions, all of which must hold.
  package let guards: [SyncGuard]
  /// The target of the transition.
  package let to: Target
  /// The actions, in order.
  package let actions: [SyncAction]

  init(
    _ number: String, _ from: Set<SyncState.Kind>, _ event: SyncEvent.Kind, _ guards: [SyncGuard] = [],
    to: Target, _ actions: [SyncAction]
  ) {
    self.number = number
    self.from = from
    self.event = event
    self.guards = guards
    self.to = to
    self.actions = actions
  }

  /// True if the row refuses an event.
  package var isRefusal: Bool { actions.first == .refuse }
}

extension SyncRule {
  /// The reason that no row matches an event: the unmet condition of the nearest row.
  static func reason(
    against event: SyncEvent.Kind, in state: SyncState.Kind, where holds: (SyncGuard) -> Bool
  ) -> String {
    let rows = rows(of: event)
    guard let nearest = rows.first(where: { $0.from.contains(state) }) else {
      return "only in state " + Set(rows.flatMap(\.from)).map(\.rawValue).sorted().joined(separator: " or ")
    }
    return "only when " + nearest.guards.filter { !holds($0) }.map(\.words).joined(separator: " and ")
  }
}

/// A condition of a row.
package enum SyncGuard: String, Hashable, Sendable, CaseIterable {
  case runActive, noRunActive
  case probing, pushing, pullingChanges, bootstrapping
  case breakerOpen, breakerNotOpen
  case attemptsLeft, lastAttempt
  case belowThreshold, atThreshold
  case needsBootstrap, hasCursor
  case cursorAdvances, cursorStuck, hasMorePages, lastPage
  case provenHealthy, notProvenHealthy
  case sessionLost, sessionKept
  case floorHolds, limitHolds
  case cursorExpired

  /// A description of the condition.
  package var words: String {
    switch self {
    case .runActive: "a run is active"
    case .noRunActive: "no run is active"
    case .probing: "the run is probing"
    case .pushing: "the run is pushing"
    case .pullingChanges: "the run is pulling changes"
    case .bootstrapping: "the run is bootstrapping"
    case .breakerOpen: "the breaker is open"
    case .breakerNotOpen: "the breaker is not open"
    case .attemptsLeft: "attempts are left"
    case .lastAttempt: "it was the last attempt"
    case .belowThreshold: "fewer 429 in a row than the threshold"
    case .atThreshold: "as many 429 in a row as the threshold"
    case .needsBootstrap: "the cursor is 0, a resync was requested, or a kind was never fetched"
    case .hasCursor: "there is a cursor, no resync was requested, and every kind was fetched"
    case .cursorAdvances: "the cursor moves on"
    case .cursorStuck: "there is more, but the cursor does not move on"
    case .hasMorePages: "there is more"
    case .lastPage: "it was the last page"
    case .provenHealthy: "the run follows a backoff and met no 429"
    case .notProvenHealthy: "the run follows no backoff, or met a 429"
    case .sessionLost: "it was 401 or 403"
    case .sessionKept: "it was neither 401 nor 403"
    case .cursorExpired: "the server no longer knows the cursor"
    case .limitHolds: "the server's Retry-After is not over"
    case .floorHolds: "the next try is not due and was not asked for"
    }
  }
}
