/// The observable state of a sync engine.
public enum SyncState: Hashable, Sendable {
  /// Nothing to report.
  case idle
  /// Local changes are being pushed: so many of so many are done.
  case syncing(synced: Int, total: Int)
  /// Remote changes are being fetched and applied.
  case pulling
  /// The breaker is open: when this state was entered, it was so for this long; so many mutations wait.
  case rateLimited(retryAfter: Duration, pending: Int)
  /// The last run ended unexpectedly.
  case error(message: String)

  /// The name of a state, without what belongs to it.
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

  /// True if local or remote changes are being carried.
  package var isSyncing: Bool { kind == .syncing || kind == .pulling }
}
