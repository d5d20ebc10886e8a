package import Platform

/// An error of a metric store: a closed code to branch on, an open message for people, and the cause.
///
/// ```swift
/// do {
///   try await store.record(Metrics.ratio, value: 0 / 0)
/// } catch let error as MetricError where error.code == .unencodableValue {
///   // NaN and infinity have no JSON
/// }
/// ```
public struct MetricError: Error, Sendable {
  /// The kind of failure; branch on this.
  public let code: Code

  /// A description for people; it may change between versions.
  public let message: String

  /// The underlying error, if there is one.
  public let cause: (any Error)?

  /// The system's error number (`errno`), if a system call failed.
  public let systemErrorNumber: Int32?

  package init(
    _ code: Code, _ message: String, cause: (any Error)? = nil, systemErrorNumber: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.cause = cause
    self.systemErrorNumber = systemErrorNumber
  }
}

extension MetricError {
  /// The kinds of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unencodableValue, undecodableValue, fileUnavailable, writeFailed, readFailed, syncFailed,
        storeClosed
      case storesFailed, unsupported, fileLocked, recordTooLong, rotationFailed
    }

    private let kind: Kind

    /// The value cannot be encoded as JSON (NaN, infinity, or its `encode(to:)` threw).
    public static let unencodableValue = Code(kind: .unencodableValue)
    /// The stored JSON is not a value of the requested type.
    public static let undecodableValue = Code(kind: .undecodableValue)
    /// The file cannot be opened, created or locked.
    public static let fileUnavailable = Code(kind: .fileUnavailable)
    /// Another process held the file's lock for longer than ``MetricFileOptions/lockTimeout``.
    ///
    /// Nothing of the record is in the file. The condition may be temporary: record again.
    public static let fileLocked = Code(kind: .fileLocked)
    /// The line would exceed 16 MiB, which no reader accepts.
    public static let recordTooLong = Code(kind: .recordTooLong)
    /// The record could not be written; the file has no complete line of it.
    public static let writeFailed = Code(kind: .writeFailed)
    /// The file is full and could not be rotated, so it keeps growing; all records are in it.
    public static let rotationFailed = Code(kind: .rotationFailed)
    /// The file could not be read to its end.
    public static let readFailed = Code(kind: .readFailed)
    /// The record was written, but the system did not confirm that it is on disk.
    public static let syncFailed = Code(kind: .syncFailed)
    /// The store is already closed.
    public static let storeClosed = Code(kind: .storeClosed)
    /// At least one store of a ``MetricMultiplexStore`` failed; the others succeeded.
    public static let storesFailed = Code(kind: .storesFailed)
    /// The store does not offer this operation.
    public static let unsupported = Code(kind: .unsupported)

    /// The code's name: short and static, suitable as a label.
    public var description: String { kind.rawValue }
  }
}

extension MetricError {
  /// Converts a file failure for callers of a store.
  package init(_ failure: FileFailure) {
    let code: Code =
      switch failure.attempt {
      case .lock where failure.isLockHeld, .lockOf where failure.isLockHeld: .fileLocked
      case .open, .lock, .lockOf, .status, .createFolder, .useFolder, .useFile, .useOpenFolder, .follow, nil:
        .fileUnavailable
      case .read: .readFailed
      case .write, .truncate, .rename, .replace, .remove, .takeOver: .writeFailed
      case .sync, .openFolder, .syncFolder: .syncFailed
      }
    self.init(code, failure.message, systemErrorNumber: failure.number)
  }

  /// The error for a full file that was not rotated.
  static func unrotated(_ failure: FileFailure) -> MetricError {
    MetricError(
      .rotationFailed, "rotation failed, so the file grows beyond its limit: \(failure.message)",
      systemErrorNumber: failure.number)
  }
}

extension MetricError: CustomStringConvertible {
  /// Code, message and cause in one line.
  public var description: String {
    guard let cause else { return "\(code): \(message)" }
    return "\(code): \(message) (\(cause))"
  }
}
