import Codecs
import Sync

/// The wording of the Sync screen, independent of layout.
enum SyncFormatter {
  /// The displayed name of a state.
  static func name(_ state: SyncState.Kind) -> String {
    switch state {
    case .idle: "idle"
    case .syncing: "syncing"
    case .pulling: "pulling"
    case .rateLimited: "rate limited"
    case .error: "error"
    }
  }

  /// The displayed name of a recorded state; an unknown one is shown unchanged.
  static func name(_ state: String) -> String { SyncState.Kind(rawValue: state).map(name) ?? state }

  static func event(_ name: String) -> String { SyncEvent.Kind(rawValue: name)?.words ?? name }

  /// `syncing -> error`, or the single state if it does not change.
  static func way(_ transition: SyncTransition, arrow: String) -> String {
    transition.from == transition.to
      ? name(transition.from) : "\(name(transition.from)) \(arrow) \(name(transition.to))"
  }

  /// `syncing -> error  run failed: server error (HTTP 500)`.
  static func sentence(_ transition: SyncTransition, arrow: String = "->") -> String {
    let way = way(transition, arrow: arrow)
    let by = transition.byHand ? "you: " : ""
    let reason = transition.reason.map { ": \($0)" } ?? ""
    return "\(way)  \(by)\(event(transition.event))\(transition.refused ? " refused" : "")\(reason)"
  }

  /// The details of a decision beyond its names: progress, backoff, queue.
  static func detail(_ transition: SyncTransition) -> String {
    if transition.refused { return "refused: \(transition.reason ?? "")" }
    if let reason = transition.reason { return reason }
    if let synced = transition.synced, let total = transition.total { return "\(synced) of \(total)" }
    // Only the decision that opened the breaker includes the duration.
    if let wait = transition.retryAfter, transition.from != transition.to {
      return "for \(DurationFormat.text(wait))"
    }
    return transition.pending > 0 ? "\(transition.pending) pending" : ""
  }
}
