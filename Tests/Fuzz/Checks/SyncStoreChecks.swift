@testable import Sync

/// Checks of what a sync store reads from its files itself: columns, and the log beside the database.
enum SyncStoreChecks {
  /// The input as the content of a column, which is written again as it was, and as a log.
  static func store(_ input: UnsafeRawBufferPointer) -> String? {
    let bytes = Array(input)
    if let fields = StoredContent.fields(of: bytes) {
      guard let again = try? StoredContent.bytes(of: fields) else { return "what was read cannot be written" }
      // A number that is none differs from itself; its bytes do not.
      guard let fields = StoredContent.fields(of: again), (try? StoredContent.bytes(of: fields)) == again
      else {
        return "fields do not come back"
      }
    }
    _ = WriteAheadLog.isDamaged(size: bytes.count) { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
    return nil
  }
}
