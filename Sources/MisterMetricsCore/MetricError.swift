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

  /// The error below this one, if there is one.
  public let cause: (any Error)?

  /// The system's error number (`errno`) where a system call failed.
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

    /// The value has no JSON (NaN, infinity, or its `encode(to:)` threw).
    public static let unencodableValue = Code(kind: .unencodableValue)
    /// The stored JSON is no value of the type that was asked for.
    public static let undecodableValue = Code(kind: .undecodableValue)
    /// The file cannot be opened, created or locked.
    public static let fileUnavailable = Code(kind: .fileUnavailable)
    /// Another process has held the file's lock longer than ``MetricFileOptions/lockTimeout``.
    ///
    /// Nothing of the record is in the file. The condition may pass: record again.
    public static let fileLocked = Code(kind: .fileLocked)
    /// The line would be longer than 16 MiB, which no reader takes.
    public static let recordTooLong = Code(kind: .recordTooLong)
    /// The record could not be written; no whole line of it is in the file.
    public static let writeFailed = Code(kind: .writeFailed)
    /// The file is full and could not be rotated, so it keeps growing; all records are in it.
    public static let rotationFailed = Code(kind: .rotationFailed)
    /// The file could not be read to its end.
    public static let readFailed = Code(kind: .readFailed)
    /// The record was written, but the system did not confirm that it is on the disk.
    public static let syncFailed = Code(kind: .syncFailed)
    /// The store was closed before.
    public static let storeClosed = Code(kind: .storeClosed)
    /// At least one store of a ``MetricMultiplexStore`` failed; the others were served.
    public static let storesFailed = Code(kind: .storesFailed)
    /// The store does not offer this operation.
    public static let unsupported = Code(kind: .unsupported)

    /// The code's name: short, without any dynamic part, good as a label.
    public var description: String { kind.rawValue }
  }
}

extension MetricError {
  /// A failure of a file, as callers of a store see it.
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

  /// Why a full file was not rotated.
  static func unrotated(_ failure: FileFailure) -> MetricError {
    MetricError(
      .rotationFailed, "the file is full and goes on growing: \(failure.message)",
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
