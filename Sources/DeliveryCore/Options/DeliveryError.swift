/// The reason that a client could not be set up, or an error during its work.
public struct DeliveryError: Error, Sendable, Hashable {
  /// The kinds of error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The write key is blank.
    case blankWriteKey
    /// The ingestion host is not an absolute http or https URL with a host name.
    case invalidHost
    /// The number of events on disk is negative.
    case negativeDiskEvents
    /// The endpoint answered 401, 403 or 404.
    case disabled
    /// Another process, or another client, uses the folder; nothing there is touched.
    case folderInUse
    /// The events cannot be stored on disk.
    case storage
    /// Something on disk was damaged, and the unreadable part was set aside.
    case damaged
  }

  /// The kind of error.
  public let code: Code
  /// The failure and its remedy; never contains the write key.
  public let message: String
  /// The HTTP status of the answer, if there was one.
  public let status: Int?

  /// Creates an error.
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
