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

  /// The same, at most 2 KiB of it: what is kept with a change, since an error page can be of any length.
  var keptText: String { Self.bounded(text) }

  /// The beginning of a text, at most 2 KiB of it and no part of a character.
  static func bounded(_ text: String, to limit: Int = 2048) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit - 3)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return text[..<end] + "…"
  }

  private static let words: [Code: String] = [
    .noConnection: "no connection", .timeout: "no answer in time", .rateLimited: "too many requests",
    .unauthorized: "session expired", .forbidden: "access denied", .notFound: "not found",
    .duplicate: "exists already", .conflict: "changed by somebody else", .server: "server error",
    .http: "request refused",
    .undecodable: "unreadable answer",
    .cursorStuck: "the server reports more changes, but its cursor stands still",
    .cursorExpired: "the server no longer knows the cursor",
    .storeUnavailable: "the local store cannot be opened", .storeInUse: "another engine uses the local store",
    .stopped: "the engine was stopped", .store: "the local store failed",
    .cancelled: "cancelled", .other: "unexpected failure",
  ]
}
