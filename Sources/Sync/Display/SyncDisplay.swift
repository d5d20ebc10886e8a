public import Essentials

/// The display of an engine: the first matching row of this table.
///
/// | display | when |
/// |---|---|
/// | ``failed(_:consecutive:)`` | a failure is kept on display |
/// | ``offline(pending:)`` | there is no network, and changes wait |
/// | ``syncing(synced:total:)``, ``downloading`` | a run is active |
/// | ``rateLimited(pending:remaining:)`` | the breaker is open |
/// | ``failed(_:consecutive:)`` | the last run failed, and no one has dismissed that |
/// | ``synced`` | for two seconds after a success, if nothing waits |
/// | ``offline(pending:)`` | there is no network |
/// | ``hidden(pending:)`` | otherwise |
public enum SyncDisplay: Hashable, Sendable {
  /// Display time of a success.
  package static let successTime = Duration.seconds(2)

  /// The last run failed, as did the `consecutive - 1` before it; the text of the error is untrusted.
  case failed(SyncError, consecutive: Int)
  /// No network.
  case offline(pending: Int)
  /// Changes are being pushed.
  case syncing(synced: Int, total: Int)
  /// Changes are being fetched; their number is unknown.
  case downloading
  /// The server limits requests: the breaker is open.
  case rateLimited(pending: Int, remaining: Duration)
  /// Everything was synced a moment ago.
  case synced
  /// Nothing worth screen space.
  case hidden(pending: Int)

  /// Creates the display of an engine.
  ///
  /// - Parameters:
  ///   - snapshot: The observable state of the engine.
  ///   - failures: The engine's failed runs.
  ///   - remaining: The time until the breaker closes (``SyncEngine/backoffRemaining``).
  ///   - isOnline: True if there is a network.
  ///   - now: The wall-clock time, which decides how long a success is shown.
  public init(
    _ snapshot: SyncSnapshot, failures: SyncFailures, remaining: Duration, isOnline: Bool = true,
    now: Date = Date()
  ) {
    // Keeps any stored date within the limits of `Duration`.
    let sinceSuccess = snapshot.lastSuccess.map { min(max(now.timeIntervalSince($0), -1e9), 1e9) }
    self.init(
      SyncStatus(
        state: snapshot.state, pending: snapshot.pending, remaining: remaining, isOnline: isOnline,
        sinceSuccess: sinceSuccess.map { .seconds($0) }, failures: failures))
  }

  /// Creates the display of a status.
  package init(_ status: SyncStatus) {
    self =
      Self.kept(status) ?? Self.offlineWithPending(status) ?? Self.activity(status)
      ?? Self.rateLimit(status) ?? Self.error(status) ?? Self.success(status)
      ?? (status.isOnline ? .hidden(pending: status.pending) : .offline(pending: status.pending))
  }

  private static func kept(_ status: SyncStatus) -> Self? {
    status.failures.kept.map { .failed($0, consecutive: status.failures.consecutive) }
  }

  private static func offlineWithPending(_ status: SyncStatus) -> Self? {
    !status.isOnline && status.pending > 0 ? .offline(pending: status.pending) : nil
  }

  private static func activity(_ status: SyncStatus) -> Self? {
    switch status.state {
    case .syncing(let synced, let total): .syncing(synced: synced, total: total)
    case .pulling: .downloading
    case .idle, .rateLimited, .error: nil
    }
  }

  private static func rateLimit(_ status: SyncStatus) -> Self? {
    status.state.kind == .rateLimited
      ? .rateLimited(pending: status.pending, remaining: status.remaining) : nil
  }

  private static func error(_ status: SyncStatus) -> Self? {
    guard case .error(let message) = status.state, !status.failures.isDismissed else { return nil }
    let error = status.failures.last ?? SyncError(.other, detail: message)
    return .failed(error, consecutive: status.failures.consecutive)
  }

  private static func success(_ status: SyncStatus) -> Self? {
    guard let time = status.sinceSuccess, status.pending <= 0, status.state.kind == .idle else { return nil }
    return .zero <= time && time < successTime ? .synced : nil
  }
}
