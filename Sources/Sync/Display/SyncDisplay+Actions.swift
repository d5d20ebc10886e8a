extension SyncDisplay {
  /// An action offered to the user.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Request a run.
    case syncNow
    /// Reset the breaker and request a run.
    case retryNow
    /// Renew the credentials.
    case signIn
    /// Hide the failure.
    case dismiss

    /// The label of the button.
    public var label: String {
      switch self {
      case .syncNow: "Sync now"
      case .retryNow: "Retry now"
      case .signIn: "Sign in"
      case .dismiss: "Dismiss"
      }
    }
  }

  /// The actions offered, most helpful first.
  public var actions: [Action] {
    switch self {
    case .failed(let error, _): [error.category.needsSignIn ? .signIn : .retryNow, .dismiss]
    case .rateLimited: [.retryNow]
    case .synced, .hidden: [.syncNow]
    case .offline, .syncing, .downloading: []
    }
  }
}
