import Codecs
import Platform

@testable import Sync

/// Checks of the log of a sync store: whatever the bytes are, they give a store, and it comes back from its own log.
enum SyncLogChecks {
  /// The input as a file, and as a transaction whose checksums are right: the checksums keep most of the damage out.
  static func log(_ input: UnsafeRawBufferPointer) -> String? {
    let bytes = Array(input)
    return complaint(about: bytes) ?? complaint(about: log(of: bytes))
  }

  private static func complaint(about bytes: [UInt8]) -> String? {
    guard let replay = replay(bytes) else { return nil }
    guard replay.goodBytes <= bytes.count else { return "more is good than there is" }
    if replay.end == .whole, replay.goodBytes < bytes.count { return "not all was read" }
    let changes = changes(of: replay.data)
    guard let again = self.replay(log(of: changes.flatMap { $0 })), again.end == .whole else {
      return "its own log cannot be read"
    }
    // Rows have no order of their own.
    guard Set(self.changes(of: again.data)) == Set(changes) else { return "the store does not come back" }
    return nil
  }

  private static func replay(_ bytes: [UInt8]) -> LogReplay? {
    try? LogReplay(FileWindow(bytes), domain: .sample)
  }

  private static func log(of content: [UInt8]) -> [UInt8] {
    LogReplay.header + RecordFrame.bytes(of: content)
  }

  /// Each change as bytes, which are equal where a number that is none would not be.
  ///
  /// Of the numbers of mutations only their order counts: numbers that no queue gives are brought into range.
  private static func changes(of data: SyncData) -> [[UInt8]] {
    var changes: [[UInt8]] = []
    data.forEachChange { change in
      var writer = StoreByteWriter()
      // A value that was read can be written.
      if case .queued(let mutation, _) = change {
        try? writer.append(.queued(mutation, sequence: changes.count))
      } else {
        try? writer.append(change)
      }
      changes.append(writer.bytes)
    }
    return changes
  }
}
