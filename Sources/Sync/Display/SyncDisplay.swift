/// What is shown of an engine: the first line of this table that fits.
///
/// | display | when |
/// |---|---|
/// | ``failed(_:)`` | a failure is kept on display |
/// | ``offline(pending:)`` | there is no network, and changes wait |
/// | ``syncing(synced:total:)``, ``downloading`` | a run is active |
/// | ``rateLimited(pending:remaining:)`` | the breaker is open |
/// | ``failed(_:)`` | the last run failed, and nobody has dismissed that |
/// | ``synced`` | for two seconds after a success, if nothing waits |
/// | ``offline(pending:)`` | there is no network |
/// | ``hidden(pending:)`` | otherwise |
public enum SyncDisplay: Hashable, Sendable {
  /// How long a success is shown.
  public static let successTime = Duration.seconds(2)

  /// The last run failed.
  case failed(Failure)
  /// There is no network; so many changes wait.
  case offline(pending: Int)
  /// Changes are being pushed: so many are done, of so many.
  case syncing(synced: Int, total: Int)
  /// Changes are being fetched; nobody knows how many.
  case downloading
  /// The server wants to be left alone; so many changes wait.
  case rateLimited(pending: Int, remaining: Duration)
  /// Everything has just been synced.
  case synced
  /// Nothing worth a place of its own; so many changes wait.
  case hidden(pending: Int)

  /// A failure as it is shown.
  public struct Failure: Hashable, Sendable {
    /// What it means to a person.
    public let category: SyncErrorCategory
    /// All that is known of it, for whoever asks; untrusted text.
    public let details: String
    /// How many runs failed in a row, this one included.
    public let consecutive: Int
    /// Whether it goes on for so long that it has to be said more clearly.
    public let isEscalated: Bool
  }

  /// What to show of a status.
  public init(_ status: SyncStatus) {
    self =
      Self.kept(status) ?? Self.offlineWithPending(status) ?? Self.activity(status)
      ?? Self.rateLimit(status) ?? Self.error(status) ?? Self.success(status)
      ?? (status.isOnline ? .hidden(pending: status.pending) : .offline(pending: status.pending))
  }

  private static func kept(_ status: SyncStatus) -> Self? {
    status.failures.kept.map { .failed(Failure($0, status.failures)) }
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
    return .failed(Failure(status.failures.last ?? SyncError(.other, detail: message), status.failures))
  }

  private static func success(_ status: SyncStatus) -> Self? {
    guard let time = status.sinceSuccess, status.pending <= 0, status.state.kind == .idle else { return nil }
    return .zero <= time && time < successTime ? .synced : nil
  }
}

extension SyncDisplay.Failure {
  init(_ error: SyncError, _ failures: SyncFailures) {
    category = error.category
    details = error.text
    consecutive = failures.consecutive
    isEscalated = failures.isEscalated
  }
}
