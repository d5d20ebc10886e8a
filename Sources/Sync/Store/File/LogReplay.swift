import Codecs
package import Platform

/// The result of replaying the bytes of a log: pure, so that every damage can be tried without a file.
package struct LogReplay: Sendable {
  /// How a log ends.
  package enum End: Hashable, Sendable {
    /// With its last transaction.
    case whole
    /// In the middle of a transaction that was never acknowledged.
    case torn
    /// Where a transaction is not as it was written, with more behind it.
    case damaged
  }

  /// The first line of every log; the number is the version of what follows.
  package static let header = Array("mistertop-sync-log 2\n".utf8)
  /// The first line of logs that know no versions: they are read, and written again with the first save.
  private static let firstHeader = Array("mistertop-sync-log 1\n".utf8)

  /// The data that all good transactions lead to.
  package private(set) var data: SyncData
  /// How many transactions are good.
  package private(set) var transactions = 0
  /// How many changes they hold.
  package private(set) var changes = 0
  /// Where the first that is not good begins.
  package private(set) var goodBytes = 0
  /// How the log ends there.
  package private(set) var end = End.whole
  /// True if the log is of the version before.
  package private(set) var isOld = false

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - window: The bytes.
  ///   - domain: What orders the queue.
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeUnavailable`` when this is no log of ours, and what reading throws.
  package init(_ window: FileWindow, domain: SyncDomain) throws {
    data = SyncData(domain: domain)
    var window = window
    let first = try window.bytes(at: 0, count: min(Self.header.count, window.size))
    isOld = first.elementsEqual(Self.firstHeader)
    guard isOld || first.elementsEqual(Self.header.prefix(first.count)) else {
      throw SyncError(.storeUnavailable, detail: "this is not a log of this version of the sync engine")
    }
    // Killed while it wrote the very first line, a process leaves a part of that.
    guard first.count == Self.header.count else {
      end = window.size == 0 ? .whole : .torn
      return
    }
    goodBytes = first.count
    var walk = RecordWalk(window, at: goodBytes)
    while try readTransaction(&walk) { goodBytes = walk.position }
  }

  /// - Returns: Whether there may be another one.
  private mutating func readTransaction(_ walk: inout RecordWalk) throws -> Bool {
    switch try walk.next() {
    case .end: return false
    case .torn: return ends(.torn)
    case .badHeader: return ends(.damaged)
    case .badContent(let end): return ends(end == walk.size ? .torn : .damaged)
    case .record(let content):
      guard let list = StoreByteReader.changes(in: content) else { return ends(.damaged) }
      for change in list { data.apply(change) }
      changes += list.reduce(0) { $0 + $1.weight }
      transactions += 1
      return true
    }
  }

  private mutating func ends(_ end: End) -> Bool {
    self.end = end
    return false
  }
}
