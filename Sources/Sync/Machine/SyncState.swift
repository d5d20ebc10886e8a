/// The observable state of a sync engine.
public enum SyncState: Hashable, Sendable {
  /// Nothing to report.
  case idle
  /// Local changes are being pushed.
  case syncing(synced: Int, total: Int)
  /// Remote changes are being fetched and applied.
  case pulling
  /// The breaker is open; `retryAfter` is the remaining time when the state was entered.
  case rateLimited(retryAfter: Duration, pending: Int)
  /// The last run ended unexpectedly.
  case error(message: String)

  /// The name of a state, without its associated values.
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case idle, syncing, pulling, rateLimited, error
  }

  /// The name of this state.
  package var kind: Kind {
    switch self {
    case .idle: .idle
    case .syncing: .syncing
    case .pulling: .pulling
    case .rateLimited: .rateLimited
    case .error: .error
    }
  }

  /// True if local or remote changes are being transferred.
  package var isSyncing: Bool { kind == .syncing || kind == .pulling }
}
