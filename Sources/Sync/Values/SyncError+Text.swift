extension SyncError {
  /// The failure in words: never empty, with the status of an HTTP answer and the whole text of the server.
  ///
  /// The text of a server is untrusted: whoever shows it makes control characters harmless.
  public var text: String {
    var text = Self.words[code] ?? code.rawValue
    if let status { text += " (HTTP \(status))" }
    if !detail.isEmpty { text += ": \(detail)" }
    return text.isEmpty ? "unknown error" : text
  }

  private static let words: [Code: String] = [
    .noConnection: "no connection", .timeout: "no answer in time", .rateLimited: "too many requests",
    .unauthorized: "session expired", .forbidden: "access denied", .notFound: "not found",
    .duplicate: "exists already", .server: "server error", .http: "request refused",
    .undecodable: "unreadable answer",
    .cursorStuck: "the server reports more changes, but its cursor stands still",
    .storeUnavailable: "the local store cannot be opened", .store: "the local store failed",
    .cancelled: "cancelled", .other: "unexpected failure",
  ]
}
