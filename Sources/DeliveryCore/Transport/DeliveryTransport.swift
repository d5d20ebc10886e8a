public import Essentials

/// Posts batches to the endpoint.
///
/// The client makes one call at a time. It sets a deadline for each call, and continues without an answer if a
/// transport does not return; a cancelled transport should return soon.
///
/// ```swift
/// struct Refusing: DeliveryTransport {
///   func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
///     DeliveryAnswer(status: 503, retryAfter: "30")
///   }
/// }
/// ```
public protocol DeliveryTransport: Sendable {
  /// Posts, and waits for the status line of the answer.
  ///
  /// Redirects are not followed. A body truncated after the status line is not a failure.
  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer
}

/// The request to post.
public struct DeliveryRequest: Sendable, Hashable {
  /// One header line.
  public struct Header: Sendable, Hashable {
    /// The name, as sent.
    public let name: String
    /// The value, as sent.
    public let value: String

    /// Creates a header line.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The ingestion host with `/v1/batch`.
  public let url: URL
  /// The headers, without `Host` and `Content-Length`.
  public let headers: [Header]
  /// The body: `{"batch":[…]}`, compressed if the options require it.
  public let body: Data
  /// Maximum duration of the whole exchange.
  public let timeout: Duration

  /// Creates a request.
  public init(url: URL, headers: [Header], body: Data, timeout: Duration = .seconds(8)) {
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// The parts of the endpoint's answer that matter.
public struct DeliveryAnswer: Sendable, Hashable {
  /// The HTTP status.
  public let status: Int
  /// The value of the `Retry-After` header, unchanged (untrusted).
  public let retryAfter: String?
  /// The beginning of the body as text, at most 2 KiB, for display (untrusted).
  public let detail: String?

  /// Creates an answer.
  public init(status: Int, retryAfter: String? = nil, detail: String? = nil) {
    self.status = status
    self.retryAfter = retryAfter
    self.detail = detail
  }
}

/// The reason that there was no answer.
public struct TransportFailure: Error, Sendable, Hashable {
  /// The kinds of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// No connection: name not found, refused, reset, closed before the status line.
    case unreachable
    /// The deadline has passed.
    case timedOut
    /// The answer is not HTTP, or exceeds the limits.
    case invalidAnswer
    /// The caller cancelled it.
    case cancelled
    /// This system cannot send at all, for instance because a library is missing.
    case unavailable
  }

  /// The kind of failure.
  public let code: Code
  /// A short description of the failure; never contains the body or the write key.
  public let message: String

  /// Creates a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
