import Platform

/// Gathers records and returns them in order: by group, member, text, time and arrival.
///
/// Above a memory limit, sorted runs of records go to an unnamed file and are merged at the end.
struct RecordSorter {
  struct Key: Comparable {
    var group: UInt32
    var member: UInt32
    /// The time, or the upper edge of a histogram bin.
    var time: Double

    static func < (left: Key, right: Key) -> Bool {
      if left.group != right.group { return left.group < right.group }
      return left.member != right.member ? left.member < right.member : left.time < right.time
    }
  }

  /// Bytes of a record before its content: the key and two lengths.
  static let headCount = 24

  /// Maximum bytes of the records in memory.
  private let limit: Int
  private let folder: String
  /// The parts of a record that are compared without reading its bytes.
  private struct Entry {
    let key: Key
    let hasText: Bool
    /// Start of the record in `bytes`.
    let start: Int
  }

  /// The records in the form of the file, one after the other.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var spool: RecordSpool?

  init(temporaryFolder folder: String, limit: Int = 32 << 20) {
    self.folder = folder
    self.limit = limit
  }

  mutating func append(
    _ key: Key, text: ArraySlice<UInt8>, hasText: Bool, figure: [UInt8]
  ) throws(FileFailure) {
    entries.append(Entry(key: key, hasText: hasText, start: bytes.count))
    // One more than the length, to distinguish an empty text from none.
    let textCount = hasText ? UInt32(clamping: text.count + 1) : 0
    Self.append(key.group, to: &bytes)
    Self.append(key.member, to: &bytes)
    Self.append(key.time.bitPattern, to: &bytes)
    Self.append(textCount, to: &bytes)
    Self.append(UInt32(clamping: figure.count), to: &bytes)
    bytes += text
    bytes += figure
    if bytes.count + entries.count * MemoryLayout<Entry>.stride > limit { try spill() }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Sorts the records in memory and appends them to the file as a run.
  private mutating func spill() throws(FileFailure) {
    var spool: RecordSpool
    if let known = self.spool { spool = known } else { spool = try RecordSpool(folder: folder) }
    var run: [UInt8] = []
    for entry in sorted() {
      run += Record(bytes, at: entry.start).all
      guard run.count > 1 << 18 else { continue }
      try spool.write(run)
      run.removeAll(keepingCapacity: true)
    }
    try spool.write(run)
    spool.endRun()
    self.spool = spool
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  private func sorted() -> [Entry] {
    entries.sorted { left, right in
      guard !left.hasText, !right.hasText else {
        let (first, second) = (Record(bytes, at: left.start), Record(bytes, at: right.start))
        // Of equal records, the first to arrive comes first.
        return first.isBefore(second) || !second.isBefore(first) && left.start < right.start
      }
      return (left.key, left.start) < (right.key, right.start)
    }
  }

  /// Calls `body` with each record in order: its key, its text if it has one, and its figure.
  mutating func forEach(
    _ body: (Key, _ text: ArraySlice<UInt8>?, _ figure: ArraySlice<UInt8>) throws -> Void
  ) throws {
    guard spool != nil else {
      for entry in sorted() { try Record(bytes, at: entry.start).give(to: body) }
      return
    }
    try spill()
    (bytes, entries) = ([], [])
    try spool?.forEachMerged { try $0.give(to: body) }
  }
}

/// One record, in the same form in memory and in the file.
struct Record {
  let all: ArraySlice<UInt8>
  let key: RecordSorter.Key
  private let textCount: Int

  /// The record at an offset of bytes that hold it completely.
  init(_ bytes: [UInt8], at start: Int) {
    let head = Self.head(bytes, at: start)
    key = head.key
    textCount = head.textCount
    all = bytes[start..<start + RecordSorter.headCount + max(0, textCount - 1) + head.figureCount]
  }

  /// The length of the record at an offset where its head is complete.
  static func count(_ bytes: [UInt8], at start: Int) -> Int {
    let head = head(bytes, at: start)
    return RecordSorter.headCount + max(0, head.textCount - 1) + head.figureCount
  }

  private static func head(
    _ bytes: [UInt8], at start: Int
  ) -> (key: RecordSorter.Key, textCount: Int, figureCount: Int) {
    bytes[start..<start + RecordSorter.headCount].withUnsafeBytes { head in
      func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
        head.loadUnaligned(fromByteOffset: offset, as: Number.self)
      }
      let key = RecordSorter.Key(
        group: number(0), member: number(4), time: Double(bitPattern: number(8)))
      return (key, Int(number(16) as UInt32), Int(number(20) as UInt32))
    }
  }

  var text: ArraySlice<UInt8>? {
    guard textCount > 0 else { return nil }
    return all.dropFirst(RecordSorter.headCount).prefix(textCount - 1)
  }

  func give(
    to body: (RecordSorter.Key, _ text: ArraySlice<UInt8>?, _ figure: ArraySlice<UInt8>) throws -> Void
  ) rethrows {
    try body(key, text, all.dropFirst(RecordSorter.headCount + max(0, textCount - 1)))
  }

  /// True if it sorts before another one, regardless of arrival.
  func isBefore(_ other: Record) -> Bool {
    let isSameMember = key.group == other.key.group && key.member == other.key.member
    guard isSameMember, textCount > 0 || other.textCount > 0, text != other.text else {
      return key < other.key
    }
    // No text sorts before an empty one.
    guard let text, let otherText = other.text else { return text == nil }
    return text.lexicographicallyPrecedes(otherText)
  }
}
