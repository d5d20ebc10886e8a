extension SyncError {
  /// The failure in words: never empty, with the status of an HTTP answer and the whole text of the server.
  ///
  /// The text of a server is untrusted: whoever shows it makes control characters harmless.
  public var text: String {
    var text = code.words
    if let status { text += " (HTTP \(status))" }
    if !detail.isEmpty { text += ": \(detail)" }
    return text
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
}

extension SyncError.Code {
  /// The kind of failure in words.
  fileprivate var words: String {
    switch self {
    case .noConnection: "no connection"
    case .timeout: "no answer in time"
    case .rateLimited: "too many requests"
    case .unauthorized: "session expired"
    case .forbidden: "access denied"
    case .notFound: "not found"
    case .duplicate: "already exists"
    case .conflict: "changed by someone else"
    case .server: "server error"
    case .http: "request refused"
    case .undecodable: "unreadable answer"
    case .cursorStuck: "the server reports more changes, but its cursor does not advance"
    case .cursorExpired: "the server no longer knows the cursor"
    case .storeUnavailable: "the local store cannot be opened"
    case .storeInUse: "another engine uses the local store"
    case .repeatedIdentifier: "an identifier was given twice"
    case .stopped: "the engine was stopped"
    case .erased: "everything was erased meanwhile"
    case .store: "the local store failed"
    case .cancelled: "cancelled"
    case .other: "unexpected failure"
    }
  }
}
