/// Everything that decides what is shown of an engine at one moment.
package struct SyncStatus: Hashable, Sendable {
  /// The state of the engine.
  package var state: SyncState
  /// How many mutations wait.
  package var pending: Int
  /// The rest of the cooldown.
  package var remaining: Duration
  /// True if there is a network.
  package var isOnline: Bool
  /// How long ago the last success was; `nil` if there was none.
  package var sinceSuccess: Duration?
  /// The failed runs.
  package var failures: SyncFailures

  /// A status.
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
