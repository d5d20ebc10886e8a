import Codecs

/// What the bytes of a log come to: pure, so that every damage can be tried without a file.
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
  package static let header = Array("mistertop-sync-log 1\n".utf8)

  /// What all good transactions lead to.
  package private(set) var data: SyncData
  /// How many transactions are good.
  package private(set) var transactions = 0
  /// How many changes they hold.
  package private(set) var changes = 0
  /// Where the first that is not good begins.
  package private(set) var goodBytes = 0
  /// What comes there.
  package private(set) var end = End.whole

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - window: The bytes.
  ///   - domain: What orders the queue.
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeUnavailable`` when this is no log of ours, and what reading throws.
  package init(_ window: inout LogWindow, domain: SyncDomain) throws {
    data = SyncData(domain: domain)
    let first = try window.bytes(at: 0, count: min(Self.header.count, window.size))
    guard first.elementsEqual(Self.header.prefix(first.count)) else {
      throw SyncError(.storeUnavailable, detail: "this is not a log of this version of the sync engine")
    }
    goodBytes = first.count
    // Killed while it wrote the very first line, a process leaves a part of that.
    guard first.count == Self.header.count else {
      goodBytes = 0
      end = window.size == 0 ? .whole : .torn
      return
    }
    while goodBytes < window.size, try readTransaction(&window) {}
  }

  /// - Returns: Whether there may be another one.
  private mutating func readTransaction(_ window: inout LogWindow) throws -> Bool {
    let rest = window.size - goodBytes
    guard rest >= LogRecord.headerSize else { return ends(.torn) }
    guard let header = LogRecord.read(header: try window.bytes(at: goodBytes, count: LogRecord.headerSize))
    else {
      // A file that grew before a power cut, but whose content did not reach the disk, ends with zeros.
      return ends(try window.isZero(from: goodBytes) ? .torn : .damaged)
    }
    let size = LogRecord.headerSize + header.length
    guard size <= rest else { return ends(.torn) }
    let content = try window.bytes(at: goodBytes + LogRecord.headerSize, count: header.length)
    guard CRC32.checksum(of: content) == header.checksum else { return ends(size == rest ? .torn : .damaged) }
    guard let list = Self.changes(in: content) else { return ends(.damaged) }
    for change in list { data.apply(change) }
    changes += list.reduce(0) { $0 + $1.weight }
    transactions += 1
    goodBytes += size
    return true
  }

  private mutating func ends(_ end: End) -> Bool {
    self.end = end
    return false
  }

  private static func changes(in content: ArraySlice<UInt8>) -> [StoreChange]? {
    var reader = StoreByteReader(content)
    var changes: [StoreChange] = []
    do {
      while reader.remaining > 0 { changes.append(try reader.change()) }
      return changes
    } catch {
      return nil
    }
  }
}

extension StoreChange {
  /// How many things of a store it writes, which is what it costs to keep it.
  var weight: Int {
    if case .quarantine(let changes) = self { changes.count + 1 } else { 1 }
  }
}

/// The bytes of a file, some of them at a time in memory.
package struct LogWindow {
  /// How many bytes there are.
  package let size: Int
  private let read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0

  private static let length = 1 << 20

  /// Bytes that `read` fetches.
  package init(size: Int, read: @escaping (_ offset: Int, _ count: Int) throws -> [UInt8]) {
    self.size = size
    self.read = read
  }

  /// Bytes that are in memory.
  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { Array(bytes[$0..<$0 + $1]) }
  }

  /// The bytes of a place inside of the file.
  mutating func bytes(at offset: Int, count: Int) throws -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + buffer.count {
      buffer = try read(offset, min(size - offset, max(count, Self.length)))
      start = offset
      guard buffer.count >= count else {
        throw SyncError(.storeUnavailable, detail: "the file became shorter while it was read")
      }
    }
    return buffer[offset - start..<offset - start + count]
  }

  /// Whether nothing but zeros follows.
  mutating func isZero(from offset: Int) throws -> Bool {
    for part in stride(from: offset, to: size, by: Self.length) {
      let bytes = try bytes(at: part, count: min(Self.length, size - part))
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }
}
