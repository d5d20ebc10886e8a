/// Why a client could not be set up, or what went wrong while it worked.
public struct DeliveryError: Error, Sendable, Hashable {
  /// The kinds of error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The write key is blank.
    case blankWriteKey
    /// The ingestion host is no absolute http or https URL with a host name.
    case invalidHost
    /// The number of events on disk is negative.
    case negativeDiskEvents
    /// The endpoint answered 401, 403 or 404.
    case disabled
    /// The events cannot be kept on disk.
    case storage
    /// Something on disk was damaged, and what could not be read was set aside.
    case damaged
  }

  /// The kind.
  public let code: Code
  /// The failure and its remedy; never holds the write key.
  public let message: String
  /// The status of the answer, where there was one.
  public let status: Int?

  /// An error.
  public init(_ code: Code, _ message: String, status: Int? = nil) {
    self.code = code
    self.message = message
    self.status = status
  }
}

extension DeliveryError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
