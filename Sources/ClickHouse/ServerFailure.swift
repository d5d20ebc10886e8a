package import HTTPClient

/// The reason that a statement was not run, or that it is unknown whether it was.
///
/// The texts are the server's or the connection's: untrusted, in one line without control characters.
package enum ServerFailure: Error, Hashable, Sendable {
  /// The server refused or failed: the HTTP status, and ClickHouse's error code if there is one.
  case refused(status: Int, code: Int?, String)
  case unanswered(HTTPFailure.Code, String)
  /// An answer that ClickHouse would not give.
  case strange(String)

  init(_ failure: HTTPFailure) {
    self = .unanswered(failure.code, failure.code == .cancelled ? "" : Self.line(failure.message))
  }

  /// An answer other than 200, as `Code: 60, e.displayText() = DB::Exception: …`, or of something in between.
  init(_ answer: HTTPAnswer) {
    let text = String(decoding: answer.body.prefix(2048), as: UTF8.self)
    let digits = text.hasPrefix("Code: ") ? text.dropFirst(6).prefix { $0.isASCII && $0.isNumber } : ""
    self = .refused(status: answer.status, code: Int(digits), Self.line(text))
  }

  /// True for another failure of the same kind, whatever its text.
  func isLike(_ other: ServerFailure) -> Bool {
    switch (self, other) {
    case (.refused(let status, let code, _), .refused(let otherStatus, let otherCode, _)):
      status == otherStatus && code == otherCode
    case (.unanswered(let code, _), .unanswered(let otherCode, _)): code == otherCode
    case (.strange, .strange): true
    case (.refused, _), (.unanswered, _), (.strange, _): false
    }
  }

  /// True if the server cannot reach another one that has a part of the tables.
  var isOfShard: Bool {
    guard case .refused(_, code: 279?, _) = self else { return false }
    return true
  }

  /// The failure in one sentence, for use after the server's name.
  package var sentence: String {
    switch self {
    case .unanswered(.timedOut, _): "has accepted the connection, but does not answer"
    case .unanswered(.unavailable, let text): "cannot be reached from here: \(text)"
    case .unanswered(_, let text): "does not answer: \(text)"
    case .refused(let status, code: nil, _) where (300..<400).contains(status):
      "redirects (\(status)), which is not followed"
    case .refused(let status, code: nil, let text):
      "answers \(status) without an error of ClickHouse: \(text)"
    case .refused(_, let code?, let text): Self.sentence(of: code) ?? "refuses: \(text)"
    case .strange(let text): "does not answer as ClickHouse does: \(text)"
    }
  }

  /// The failure of a question in one sentence, for use after the server's name.
  var readingSentence: String {
    guard case .refused(_, let code?, _) = self else { return sentence }
    switch code {
    case 159, 160: return "needs longer than 10 s for this: choose a shorter time"
    case 241, 307, 396: return "needs more memory for this than it may take: choose a shorter time"
    case 279: return "cannot reach one of its shards, whose samples are missing"
    case 164, 497: return "does not allow this user to read the tables, or to limit the time of a question"
    default: return sentence
    }
  }

  /// The meaning of ClickHouse's error codes; `nil` for one without a sentence of its own.
  private static func sentence(of code: Int) -> String? {
    switch code {
    case 192, 193, 194, 516:
      "refuses the user or the password, which come from $CLICKHOUSE_USER and $CLICKHOUSE_PASSWORD, or from ~/.netrc"
    case 60, 81: "does not have the tables: mistertop ship --schema prints them"
    case 8, 10, 16, 47: "has tables of another version: mistertop ship --schema prints those of this one"
    case 164, 497: "does not allow this user to insert into samples and to read host, stream, seq and at"
    default: nil
    }
  }

  /// One line of printable characters.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
    return String(words.joined(separator: " ").prefix(300))
  }
}
