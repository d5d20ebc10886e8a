/// A failure between the engine, its store and the server.
public struct SyncError: Error, Hashable, Sendable, Codable {
  /// The kind of failure.
  ///
  /// Its raw value is a name without dynamic parts: fit for a label.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no network.
    case noConnection
    /// No answer in time.
    case timeout
    /// 429.
    case rateLimited
    /// 401.
    case unauthorized
    /// 403.
    case forbidden
    /// 404.
    case notFound
    /// 409, or a text that reports a violated uniqueness.
    case duplicate
    /// 412: the server has another version than the one that the change was made on.
    ///
    /// A 409 to an update or a delete is treated alike.
    case conflict
    /// 5xx.
    case server
    /// Another answer that is no success.
    case http
    /// An answer that is not what was asked for, for instance a login page.
    case undecodable
    /// "More" without a cursor that moves on, or without an end.
    case cursorStuck
    /// The server no longer knows the cursor: everything is fetched again.
    case cursorExpired
    /// The store's file cannot be opened.
    case storeUnavailable
    /// Another engine, in this process or another, uses the store.
    case storeInUse
    /// Another failure of the store.
    case store
    /// The generator of ``SyncEnvironment`` gave an id or a key a second time.
    case repeatedIdentifier
    /// The engine was stopped: it takes no more commands.
    case stopped
    /// Everything is being erased, as for another account: what was queued meanwhile is not kept.
    case erased
    /// The run was cancelled.
    case cancelled
    /// Anything else.
    case other
  }

  /// The kind of failure.
  public let code: Code
  /// The status of the HTTP answer, if there was one.
  public let status: Int?
  /// The message of the server or the system; untrusted text.
  public let detail: String
  /// How long the server asks to wait.
  public let retryAfter: Duration?
  /// The server's current entity, where it is told with a conflict or a duplicate.
  public let current: RemoteEntity?

  /// An error.
  public init(
    _ code: Code, status: Int? = nil, detail: String = "", retryAfter: Duration? = nil,
    current: RemoteEntity? = nil
  ) {
    self.code = code
    self.status = status
    self.detail = detail
    self.retryAfter = retryAfter
    self.current = current
  }

  /// True if the server no longer accepts the session: 401 or 403.
  public var isSessionLost: Bool { code == .unauthorized || code == .forbidden }

  /// True if no answer came: there is no connection, or it took too long.
  package var isTransient: Bool { code == .noConnection || code == .timeout }

  /// True if the push phase cannot go on, and no change is to blame (docs/sync-engine.md, "Whose fault it is").
  ///
  /// Besides silence and a lost session these are the answers of something that stands before a server which is not
  /// there: 408, 502, 503 and 504 say nothing of the change that was sent.
  package var interruptsPush: Bool {
    isTransient || isSessionLost || code == .cancelled
      || status.map { [408, 502, 503, 504].contains($0) } ?? false
  }

  /// The error that an HTTP answer means which is no success.
  ///
  /// - Parameters:
  ///   - status: The status, for instance 429.
  ///   - detail: What the server said.
  ///   - retryAfter: The wait that the header `Retry-After` asks for.
  ///   - current: What the server has, where it says so.
  public init(
    httpStatus status: Int, detail: String = "", retryAfter: Duration? = nil, current: RemoteEntity? = nil
  ) {
    let code: Code =
      switch status {
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 409: .duplicate
      case 412: .conflict
      case 429: .rateLimited
      case 500...599: .server
      default: .http
      }
    self.init(code, status: status, detail: detail, retryAfter: retryAfter, current: current)
  }
}
