import Sync

/// How conformance checks say what was thrown.
enum ConformanceText {
  /// An error in words; that it is no ``SyncError`` is one of them.
  static func of(_ error: any Error) -> String {
    (error as? SyncError)?.text ?? "an error other than SyncError, \(error)"
  }
}
