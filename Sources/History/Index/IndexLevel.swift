import Codecs

/// One level of an index: slots of equal length, sorted by time.
struct IndexLevel: Sendable {
  /// The location of a packed slot.
  struct Row: Sendable, Equatable {
    /// The slot's number: it begins at `key` steps since 2001.
    let key: Int64
    let offset: Int
    let count: Int
    /// The lower half of the hash of its bytes.
    let hash: UInt32
  }

  /// Difference in exponents between a level and the next.
  static let stride = 2
  /// Number of slots up to which there is no coarser level.
  static let fewRows = 24

  /// Base-2 logarithm of the step in seconds.
  let exponent: Int
  let rows: [Row]
  let storage: RowStorage

  init(exponent: Int, rows: [Row], storage: RowStorage) {
    self.exponent = exponent
    self.rows = rows
    self.storage = storage
  }

  init(exponent: Int, rows packed: [(key: Int64, bytes: [UInt8])]) {
    var all: [UInt8] = []
    all.reserveCapacity(packed.reduce(0) { $0 + $1.bytes.count })
    rows = packed.map { key, bytes in
      defer { all += bytes }
      return Row(key: key, offset: all.count, count: bytes.count, hash: Self.hash(bytes[...]))
    }
    self.exponent = exponent
    storage = .memory(all)
  }

  static func hash(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.withUnsafeBytes { ContentHash.of($0) })
  }

  /// The bytes of a slot, as written.
  func bytes(_ place: Int) throws(IndexFault) -> ArraySlice<UInt8> {
    let row = rows[place]
    let bytes = try storage.bytes(row.offset, row.count)
    guard bytes.count == row.count, Self.hash(bytes) == row.hash else { throw .damaged }
    return bytes
  }

  /// Maximum bytes per read.
  private static let readLimit = 1 << 20

  /// Calls `body` with each slot in order; neighbours are read together.
  func forEachRow(
    _ places: Range<Int>, _ body: (Row, PackedRow) throws(IndexFault) -> Void
  ) throws(IndexFault) {
    var next = places
    while let (part, bytes) = try readSome(&next) {
      for row in rows[part] {
        let first = bytes.startIndex + row.offset - rows[part.lowerBound].offset
        guard first >= bytes.startIndex, first + row.count <= bytes.endIndex else { throw .damaged }
        let own = bytes[first..<first + row.count]
        guard Self.hash(own) == row.hash else { throw .damaged }
        try body(row, try PackedRow(own))
      }
    }
  }

  /// Calls `body` with the bytes of all slots in order.
  func forEachBytes(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var next = rows.indices
    while let (_, bytes) = try readSome(&next) { try body(bytes) }
  }

  /// Reads the next slots, as many as fit in one read; `nil` when none are left.
  private func readSome(
    _ places: inout Range<Int>
  ) throws(IndexFault) -> (part: Range<Int>, bytes: ArraySlice<UInt8>)? {
    guard let first = places.first else { return nil }
    let start = rows[first].offset
    var end = first
    repeat {
      end += 1
    } while end < places.upperBound && rows[end].offset + rows[end].count - start <= Self.readLimit
    places = end..<places.upperBound
    return (first..<end, try storage.bytes(start, rows[end - 1].offset + rows[end - 1].count - start))
  }

  /// The slot at an index.
  func row(_ place: Int) throws(IndexFault) -> PackedRow { try PackedRow(try bytes(place)) }

  /// The indices of the slots with keys in a range.
  func places(_ keys: Range<Int64>) -> Range<Int> {
    let first = firstPlace(from: keys.lowerBound)
    return first..<max(first, firstPlace(from: keys.upperBound))
  }

  private func firstPlace(from key: Int64) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next coarser level.
  func coarser() throws(IndexFault) -> IndexLevel {
    var merged: [(key: Int64, bytes: [UInt8])] = []
    var place = 0
    while place < rows.count {
      let key = rows[place].key >> Int64(Self.stride)
      var cells: [Int32: IndexCell] = [:]
      while place < rows.count, rows[place].key >> Int64(Self.stride) == key {
        try row(place).forEach(withHistogram: true) { series, cell in
          cells[series, default: IndexCell()].merge(cell)
        }
        place += 1
      }
      let sorted = cells.sorted { $0.key < $1.key }.map { (series: $0.key, cell: $0.value) }
      merged.append((key, PackedRow.pack(blocks: [], cells: sorted)))
    }
    return IndexLevel(exponent: exponent + Self.stride, rows: merged)
  }
}

/// Storage of packed slots: in memory, or in the cache file, from which they are read on demand.
enum RowStorage: Sendable {
  case memory([UInt8])
  case file(any HistoryBytes, start: UInt64)

  func bytes(_ offset: Int, _ count: Int) throws(IndexFault) -> ArraySlice<UInt8> {
    switch self {
    case .memory(let all):
      guard offset >= 0, count >= 0, offset <= all.count, count <= all.count - offset else { throw .damaged }
      return all[offset..<offset + count]
    case .file(let file, let start):
      guard offset >= 0, count >= 0 else { throw .damaged }
      let from = start + UInt64(offset)
      guard let bytes = try? file.bytes(from..<from + UInt64(count)) else { throw .missing }
      return bytes[...]
    }
  }
}
