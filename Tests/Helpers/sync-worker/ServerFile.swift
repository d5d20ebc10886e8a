import Foundation
import Sync
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server inside of the process whose memory is a file: one line for each change that it took, written before it answers.
///
/// A line is `operation key id number`, or `list` where everything was asked for. Some answers get lost on their way, and some requests.
actor ServerFile: SyncBackend {
  private let descriptor: Int32
  /// Decides what gets lost; `nil` if nothing does.
  private var random: SeededGenerator?

  init(path: String, seed: UInt64?) {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    random = seed.map { SeededGenerator(seed: $0 ^ 0x5EED) }
    // The one before was killed, perhaps in the middle of a line.
    write("\n")
  }

  deinit { close(descriptor) }

  func probe() {}

  func push(batch: [PushItem], of kind: EntityKind) throws -> BatchAnswer {
    try take(batch)
    return BatchAnswer(created: batch.map { RemoteEntity(id: $0.entity.id, members: $0.members) })
  }

  func push(_ item: PushItem) throws -> RemoteEntity? {
    try take([item])
    return nil
  }

  func changes(since cursor: SyncCursor, limit: Int) -> ChangePage {
    ChangePage(changes: [], cursor: cursor, hasMore: false)
  }

  func latestCursor() -> SyncCursor { 1 }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) -> EntityPage {
    write("list\n")
    return EntityPage(entities: [])
  }

  private func take(_ items: [PushItem]) throws {
    try mayGetLost()
    write(items.map(line).joined())
    try mayGetLost()
  }

  private func mayGetLost() throws {
    if let chance = random?.next(), chance % 16 == 0 { throw SyncError(.timeout) }
  }

  private func line(of item: PushItem) -> String {
    var number: Int64 = -1
    if case .int(let value) = item.members["number"] { number = value }
    return "\(item.operation) \(item.idempotencyKey) \(item.entity.id) \(number)\n"
  }

  private nonisolated func write(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      written += count
    }
  }
}

// Inside of the actor the plain name would mean its own function.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
