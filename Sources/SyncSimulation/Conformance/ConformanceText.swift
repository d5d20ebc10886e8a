import Sync

/// Describes errors thrown during conformance checks.
enum ConformanceText {
  /// The description of an error, including the fact that it is not a ``SyncError``.
  static func of(_ error: any Error) -> String {
    (error as? SyncError)?.text ?? "an error other than SyncError, \(error)"
  }
}
