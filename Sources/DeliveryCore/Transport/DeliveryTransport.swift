public import Essentials

/// Posts one batch to the endpoint.
///
/// The client never has two calls in flight. It puts a deadline around each call, and it goes on without an answer where
/// a transport does not return; a transport that is cancelled should return soon.
///
/// ```swift
/// struct Refusing: DeliveryTransport {
///   func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
///     DeliveryAnswer(status: 503, retryAfter: "30")
///   }
/// }
/// ```
public protocol DeliveryTransport: Sendable {
  /// Posts and waits for the status line of the answer.
  ///
  /// Redirects are not followed. A body that is cut after the status line is no failure.
  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer
}

/// The request to post.
public struct DeliveryRequest: Sendable, Hashable {
  /// One line of the head.
  public struct Header: Sendable, Hashable {
    /// The name, as it is sent.
    public let name: String
    /// The value, as it is sent.
    public let value: String

    /// A line of the head.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The ingestion host with `/v1/batch`.
  public let url: URL
  /// The lines of the head, without `Host` and `Content-Length`.
  public let headers: [Header]
  /// The body: `{"batch":[…]}`, compressed where the options say so.
  public let body: Data
  /// How long the whole exchange may take.
  public let timeout: Duration

  /// A request.
  public init(url: URL, headers: [Header], body: Data, timeout: Duration = .seconds(8)) {
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// The endpoint's answer, as far as it decides anything.
public struct DeliveryAnswer: Sendable, Hashable {
  /// The status of the answer's first line.
  public let status: Int
  /// The value of the header `Retry-After`, as it came (untrusted).
  public let retryAfter: String?
  /// The beginning of the body as text, at most 2 KiB, for people (untrusted).
  public let detail: String?

  /// An answer.
  public init(status: Int, retryAfter: String? = nil, detail: String? = nil) {
    self.status = status
    self.retryAfter = retryAfter
    self.detail = detail
  }
}

/// Why there was no answer.
public struct TransportFailure: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// No connection: name not found, refused, reset, closed before the status line.
    case unreachable
    /// The deadline passed.
    case timedOut
    /// The answer is no HTTP, or more of it than any server sends.
    case invalidAnswer
    /// The caller gave up.
    case cancelled
    /// This system cannot send at all, for instance because the library is missing.
    case unavailable
  }

  /// The kind.
  public let code: Code
  /// The failure, in a few words; never holds the body or the write key.
  public let message: String

  /// A failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
