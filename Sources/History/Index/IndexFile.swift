import Codecs
import Essentials
import Platform

/// The file format of an index: a head, parts that are read at once, and slots that are read on demand.
///
/// Every part has a hash that is checked before the part is used. Little-endian; whole numbers are stored compactly.
enum IndexFile {
  private static let magic: [UInt8] = Array("MTOPIDX1".utf8)
  /// Raised whenever the format changes, and whenever stored indexes may hold wrong figures.
  private static let version: UInt64 = 7
  /// Position of the head, after the magic word and the head's own length and hash.
  private static let headStart: UInt64 = 24
  private static let headLimit: UInt64 = 1 << 20
  /// Maximum length of a part that is read at once.
  private static let partLimit = 14 << 20

  /// A part of the file.
  private struct Part {
    var start: UInt64
    var count: Int
    var hash: UInt64
  }

  // MARK: Writing

  /// Writes an index piece by piece.
  ///
  /// - Parameters:
  ///   - limit: maximum length in bytes.
  ///   - write: receives the next bytes.
  /// - Returns: true if it was written; false if it would be longer.
  /// - Throws: what `write` throws, and `IndexFault` if slots cannot be read.
  static func write(
    _ index: HistoryIndex, atMost limit: Double, _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> Bool {
    var meta = PackedWriter()
    meta.write(count: index.blocks.count)
    for block in index.blocks { block.write(to: &meta) }
    index.seriesTable.write(to: &meta)
    let parts = [meta.bytes] + index.levels.map(directory)
    let rows = index.levels.map { $0.rows.reduce(0) { $0 + $1.count } }
    let head = head(index, parts: parts, rows: rows)
    let size = head.count + parts.reduce(0) { $0 + $1.count } + rows.reduce(0, +)
    guard Double(size) <= limit, parts.allSatisfy({ $0.count <= partLimit }) else { return false }
    for part in [head] + parts { try write(part[...]) }
    for level in index.levels { try level.forEachBytes(write) }
    return true
  }

  private static func directory(_ level: IndexLevel) -> [UInt8] {
    var directory = PackedWriter()
    var key: Int64 = 0
    directory.write(count: level.rows.count)
    for row in level.rows {
      directory.write(signed: row.key - key)
      directory.write(count: row.count)
      directory.write(UInt64(row.hash))
      key = row.key
    }
    return directory.bytes
  }

  private static func head(_ index: HistoryIndex, parts: [[UInt8]], rows: [Int]) -> [UInt8] {
    var head = PackedWriter()
    head.write(version)
    let binding = index.binding
    head.write(count: binding.blockSize)
    head.write(binding.end)
    head.write(binding.size)
    head.write(signed: binding.modified)
    head.write(signed: binding.changed)
    head.write(fixed: binding.head)
    head.write(fixed: binding.tail)
    head.write(fixed: binding.mapping)
    head.write(count: parts.count)
    for part in parts {
      head.write(count: part.count)
      head.write(fixed: ContentHash.of(part))
    }
    for (level, count) in zip(index.levels, rows) {
      head.write(signed: Int64(level.exponent))
      head.write(count: count)
    }
    var file = PackedWriter()
    file.write(raw: magic)
    file.write(fixed: UInt64(head.bytes.count))
    file.write(fixed: ContentHash.of(head.bytes))
    file.write(raw: head.bytes)
    return file.bytes
  }

  // MARK: Reading

  /// The index in a file; its slots stay there and are read on demand.
  static func index(in file: any HistoryBytes) throws(IndexFault) -> HistoryIndex {
    let fixed = try bytes(file, 0, Int(headStart))
    guard fixed.starts(with: magic) else { throw .damaged }
    var reader = PackedReader(fixed[magic.count...])
    let (count, hash) = (try reader.fixed(), try reader.fixed())
    guard count <= headLimit else { throw .damaged }
    let head = try bytes(file, headStart, Int(count))
    guard ContentHash.of(head) == hash else { throw .damaged }
    return try index(file, head, partsStart: headStart + count)
  }

  private static func index(
    _ file: any HistoryBytes, _ head: [UInt8], partsStart: UInt64
  ) throws(IndexFault) -> HistoryIndex {
    var reader = PackedReader(head)
    guard try reader.unsigned() == version else { throw .otherVersion }
    let blockSize = try reader.count(atMost: 1 << 30)
    let binding = IndexBinding(
      blockSize: max(1, blockSize), end: try reader.unsigned(), size: try reader.unsigned(),
      modified: try reader.signed(), changed: try reader.signed(), head: try reader.fixed(),
      tail: try reader.fixed(), mapping: try reader.fixed())
    var parts: [Part] = []
    var start = partsStart
    for _ in 0..<(try reader.count(atMost: 64)) {
      let count = try reader.count(atMost: partLimit)
      parts.append(Part(start: start, count: count, hash: try reader.fixed()))
      start += UInt64(count)
    }
    guard let first = parts.first else { throw .damaged }
    var meta = PackedReader(try bytes(file, first))
    let blocks = try self.blocks(&meta)
    let seriesTable = try SeriesTable(&meta)
    var levels: [IndexLevel] = []
    for part in parts.dropFirst() {
      let exponent = Int(clamping: try reader.signed())
      guard SlotTime.exponents.contains(exponent), levels.last.map({ $0.exponent < exponent }) ?? true else {
        throw .damaged
      }
      let count = try reader.count(atMost: 1 << 40)
      levels.append(try level(exponent, directory: try bytes(file, part), file, start: start, count: count))
      start += UInt64(count)
    }
    guard UInt64(blocks.count) * UInt64(binding.blockSize) == binding.end else { throw .damaged }
    return HistoryIndex(binding: binding, blocks: blocks, seriesTable: seriesTable, levels: levels)
  }

  private static func blocks(_ reader: inout PackedReader) throws(IndexFault) -> [IndexBlock] {
    var blocks: [IndexBlock] = []
    for _ in 0..<(try reader.count(atMost: reader.left)) { blocks.append(try IndexBlock(&reader)) }
    return blocks
  }

  private static func level(
    _ exponent: Int, directory: [UInt8], _ file: any HistoryBytes, start: UInt64, count: Int
  ) throws(IndexFault) -> IndexLevel {
    var reader = PackedReader(directory)
    var rows: [IndexLevel.Row] = []
    var (key, offset) = (Int64(0), 0)
    for place in 0..<(try reader.count(atMost: directory.count)) {
      let step = try reader.signed()
      guard place == 0 || step > 0 else { throw .damaged }
      key &+= step
      let length = try reader.count(atMost: count - offset)
      let hash = UInt32(truncatingIfNeeded: try reader.unsigned())
      rows.append(IndexLevel.Row(key: key, offset: offset, count: length, hash: hash))
      offset += length
    }
    guard offset == count else { throw .damaged }
    return IndexLevel(exponent: exponent, rows: rows, storage: .file(file, start: start))
  }

  private static func bytes(_ file: any HistoryBytes, _ part: Part) throws(IndexFault) -> [UInt8] {
    let found = try bytes(file, part.start, part.count)
    guard ContentHash.of(found) == part.hash else { throw .damaged }
    return found
  }

  private static func bytes(_ file: any HistoryBytes, _ start: UInt64, _ count: Int) throws(IndexFault)
    -> [UInt8]
  {
    guard let found = try? file.bytes(start..<start + UInt64(count)) else { throw .missing }
    guard found.count == count else { throw .damaged }
    return found
  }
}

extension IndexBlock {
  func write(to out: inout PackedWriter) {
    out.write(fixed: hash)
    out.write(count: lines)
    out.write(count: rejected)
    out.write(count: samples)
    guard samples > 0 else { return }
    out.write(firstTime)
    out.write(lastTime)
  }

  init(_ reader: inout PackedReader) throws(IndexFault) {
    let limit = 1 << 40
    self.init(
      hash: try reader.fixed(), lines: try reader.count(atMost: limit),
      rejected: try reader.count(atMost: limit),
      samples: try reader.count(atMost: limit), firstTime: .distantFuture, lastTime: .distantPast)
    guard samples > 0 else { return }
    (firstTime, lastTime) = (try reader.moment(), try reader.moment())
    guard firstTime <= lastTime else { throw .damaged }
  }
}
