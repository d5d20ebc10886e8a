/// The source of a run request.
public enum SyncTrigger: String, Hashable, Sendable, Codable, CaseIterable {
  /// The app, through ``SyncEngine/requestSync()``.
  case app
  /// The engine, because a change was queued a moment ago.
  case queue
  /// The engine, because the network is back.
  case reachability
  /// The engine, because a run was requested during the one that has just ended.
  case followUp
  /// The engine's timer, after a call without an answer or when a mutation is due again.
  case retry
  /// The engine's timer, at the end of the breaker's backoff.
  case backoff

  /// True if it has to wait until the next retry is due.
  var heedsFloor: Bool {
    switch self {
    case .queue, .followUp: true
    case .app, .reachability, .retry, .backoff: false
    }
  }

  /// A description of the source.
  package var words: String {
    switch self {
    case .app: "the app"
    case .queue: "a queued change"
    case .reachability: "the network's return"
    case .followUp: "a request during the last run"
    case .retry: "the timer of the next try"
    case .backoff: "the end of the backoff"
    }
  }
}
