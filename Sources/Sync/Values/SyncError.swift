/// What went wrong between the engine, its store and the server.
public struct SyncError: Error, Hashable, Sendable {
  /// The kind of failure.
  public struct Code: Hashable, Sendable, RawRepresentable, CaseIterable {
    /// A name without dynamic parts: fit for a label.
    public let rawValue: String

    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no network.
    public static let noConnection = Self(rawValue: "noConnection")
    /// No answer in time.
    public static let timeout = Self(rawValue: "timeout")
    /// 429.
    public static let rateLimited = Self(rawValue: "rateLimited")
    /// 401.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// 403.
    public static let forbidden = Self(rawValue: "forbidden")
    /// 404.
    public static let notFound = Self(rawValue: "notFound")
    /// 409, or a text that reports a violated uniqueness.
    public static let duplicate = Self(rawValue: "duplicate")
    /// 412: the server has another version than the one that the change was made on.
    ///
    /// A 409 to an update or a delete is treated alike.
    public static let conflict = Self(rawValue: "conflict")
    /// 5xx.
    public static let server = Self(rawValue: "server")
    /// Another answer that is no success.
    public static let http = Self(rawValue: "http")
    /// An answer that is not what was asked for, for instance a login page.
    public static let undecodable = Self(rawValue: "undecodable")
    /// "More" without a cursor that moves on.
    public static let cursorStuck = Self(rawValue: "cursorStuck")
    /// The server no longer knows the cursor: everything is fetched anew.
    public static let cursorExpired = Self(rawValue: "cursorExpired")
    /// The store's file cannot be opened.
    public static let storeUnavailable = Self(rawValue: "storeUnavailable")
    /// Another engine, in this process or another, uses the store.
    public static let storeInUse = Self(rawValue: "storeInUse")
    /// Another failure of the store.
    public static let store = Self(rawValue: "store")
    /// The engine was stopped: it takes no more commands.
    public static let stopped = Self(rawValue: "stopped")
    /// The run was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// Anything else.
    public static let other = Self(rawValue: "other")

    /// Every code there is.
    public static let allCases: [Self] = [
      .noConnection, .timeout, .rateLimited, .unauthorized, .forbidden, .notFound, .duplicate, .conflict,
      .server, .http, .undecodable, .cursorStuck, .cursorExpired, .storeUnavailable, .storeInUse, .store,
      .stopped,
      .cancelled, .other,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The status of the HTTP answer, if there was one.
  public let status: Int?
  /// What the server or the system said; untrusted text.
  public let detail: String
  /// How long the server asks to wait.
  public let retryAfter: Duration?
  /// What the server has, where it says so with a conflict or a duplicate.
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

  /// Whether the server no longer accepts the session: 401 or 403.
  public var isSessionLost: Bool { code == .unauthorized || code == .forbidden }

  /// Whether no answer came: there is no connection, or it took too long.
  public var isTransient: Bool { code == .noConnection || code == .timeout }

  /// Whether the push phase cannot go on, and no change is to blame (docs/sync-engine.md, "Whose fault it is").
  ///
  /// Besides silence and a lost session these are the answers of something that stands before a server which is not
  /// there: 408, 502, 503 and 504 say nothing of the change that was sent.
  public var interruptsPush: Bool {
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
