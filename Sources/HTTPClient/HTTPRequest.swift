package import Essentials

/// A POST request.
package struct HTTPRequest: Sendable {
  /// An absolute http or https URL.
  package let url: String
  package typealias Header = (name: String, value: String)

  /// The headers, without `Host` and `Content-Length`.
  package let headers: [Header]
  package let body: Data
  /// Maximum duration of the whole exchange.
  package let timeout: Duration
  package let limits: AnswerReader.Limits
  /// The header lines of the answer to keep, in lower case.
  package let fields: Set<String>
  /// True to take the password for the host, and for the user in the URL if there is one, from the user's netrc file.
  package let readsNetrc: Bool
  /// True if libcurl may send it again, as it does when a reused connection turns out to be closed.
  package let isRepeatable: Bool

  package init(
    url: String, headers: [Header], body: Data, timeout: Duration, limits: AnswerReader.Limits,
    fields: Set<String> = [], readsNetrc: Bool = false, isRepeatable: Bool = true
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.limits = limits
    self.fields = fields
    self.readsNetrc = readsNetrc
    self.isRepeatable = isRepeatable
  }
}

/// The answer to a request; all of it is untrusted.
package struct HTTPAnswer: Sendable, Hashable {
  /// The status, from 200 to 999.
  package let status: Int
  /// The requested header lines by name in lower case; the first of several lines of one name.
  package let fields: [String: String]
  /// The beginning of the body.
  package let body: [UInt8]
  /// False if the body broke off, or was larger than the limit.
  package let isWhole: Bool

  package init(status: Int, fields: [String: String] = [:], body: [UInt8] = [], isWhole: Bool = true) {
    self.status = status
    self.fields = fields
    self.body = body
    self.isWhole = isWhole
  }
}

/// The reason that there was no answer.
package struct HTTPFailure: Error, Sendable, Hashable {
  package enum Code: String, Sendable {
    /// No connection: name not found, refused, reset, closed before the status line.
    case unreachable
    case timedOut
    /// The answer is not HTTP, or exceeds the limits.
    case invalidAnswer
    case cancelled
    /// This system cannot send at all, for instance because a library is missing.
    case unavailable
  }

  package let code: Code
  /// A short description; never contains the body or a header.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
