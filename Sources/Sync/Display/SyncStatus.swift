/// All inputs of an engine's display at one moment.
package struct SyncStatus: Hashable, Sendable {
  /// The state of the engine.
  package var state: SyncState
  /// Pending mutations.
  package var pending: Int
  /// The time until the breaker closes.
  package var remaining: Duration
  /// True if there is a network.
  package var isOnline: Bool
  /// The time since the last success; `nil` if there was none.
  package var sinceSuccess: Duration?
  /// The failed runs.
  package var failures: SyncFailures

  /// Creates a status.
  package init(
    state: SyncState = .idle, pending: Int = 0, remaining: Duration = .zero, isOnline: Bool = true,
    sinceSuccess: Duration? = nil, failures: SyncFailures = SyncFailures()
  ) {
    self.state = state
    self.pending = pending
    self.remaining = remaining
    self.isOnline = isOnline
    self.sinceSuccess = sinceSuccess
    self.failures = failures
  }
}
