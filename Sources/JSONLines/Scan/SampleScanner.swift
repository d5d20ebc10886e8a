import Codecs
package import Platform

/// Turns the bytes of a MisterMetrics file into samples.
///
/// Bytes come in chunks of any size, in order; a half line at the end of a chunk waits for the next. Three increasingly
/// tolerant readers share the work and yield the same samples for the same content:
///
/// 1. `ShapeReader`: lines of a known ``LineShape``, which the next reader has met before.
/// 2. `EntryLine`: JSON objects with any key order, white space, unknown members, escapes.
/// 3. `LineEntry(foundation:)`: the rest goes to Foundation's decoder, which has the final say.
///
/// `ForeignReader` runs before the second and reads the lines of other programs. No line is both, because only
/// MisterMetrics lines have an object named `metric`; so the result for a line never depends on earlier lines.
///
/// A line may also hold several records, or the brackets and commas of an array; see ``LineRecords``. A record that no
/// reader accepts is rejected: counted by reason and kept in `rejections`; so are the values that ``RecordRepair``
/// replaces. A value type: a copy continues independently from the same position.
package struct SampleScanner: Sendable {
  /// The metrics seen so far.
  package internal(set) var catalogue = MetricCatalogue()
  /// The lines that could not be read.
  package internal(set) var rejections = RejectionLog()
  /// Number of complete lines, including blank and rejected ones.
  package private(set) var lines = 0
  /// Number of lines without a record: with only white space, which writers that start every batch with a newline
  /// leave, or with only brackets and commas.
  package private(set) var blankLines = 0
  /// Number of lines of whose records none could be read.
  package private(set) var unreadLines = 0

  /// The mapping for lines of other programs; `nil` to recognize the usual formats.
  package var mapping: LineMapping? {
    get { foreign.mapping }
    set {
      foreign.mapping = newValue
      for place in rare.indices { rare[place].wrappers.mapping = newValue }
    }
  }

  var heads = HeadTable()
  var lineShapes = LineShapes()
  /// True if a carriage return ends the current line.
  private(set) var hasReturn = false
  /// True if the current line was already compared with the known shapes.
  private(set) var isCompared = false
  var foreign = ForeignReader()
  /// The readers of what few files have: none, or one of each once they are needed.
  ///
  /// A folder may have thousands of files.
  var rare: [RareReaders] = []
  /// Shapes of structs.
  var shapes = ObjectShapes()
  var scratch: [UInt8] = []
  var headScratch: [UInt8] = []
  /// Offset of the next line, in bytes from the start of the file.
  private var lineOffset: UInt64
  private var firstLine: Int
  private var carry: [UInt8] = []
  /// Set while skipping the rest of an overlong line.
  private var isSkipping = false

  /// A scanner that starts at a line start.
  ///
  /// - Parameters:
  ///   - offset: Offset of the first byte in the file.
  ///   - line: The number of the line that starts there, from 1.
  ///   - mapping: The mapping for lines of other programs.
  package init(offset: UInt64 = 0, line: Int = 1, mapping: LineMapping? = nil) {
    lineOffset = offset
    firstLine = line
    foreign.mapping = mapping
  }

  /// The number of the next line, from 1.
  package var nextLine: Int { firstLine &+ lines }
  /// Bytes of an incomplete line that are waiting for the rest.
  package var waitingBytes: Int { carry.count }

  /// True if there were lines, but none of them could be read.
  package var isUnreadable: Bool { unreadLines > 0 && lines - blankLines == unreadLines }

  /// The offset from UTC at which times without a zone are read, in seconds; `nil` unless no time has named a zone.
  package func zoneOffset(at now: Timestamp) -> Int? { foreign.moment.zoneOffset(at: now) }

  /// True if the next byte starts a line.
  package var isAtLineStart: Bool { carry.isEmpty && !isSkipping }

  /// Reads the next bytes; samples are appended to `batch`, which the caller empties periodically.
  ///
  /// - Parameter slack: The number of readable bytes after them, with any content; with about 200, the last lines are
  ///   as fast as all others.
  package mutating func scan(
    _ bytes: UnsafeRawBufferPointer, slack: Int = 0, into batch: inout SampleBatch
  ) {
    var position = 0
    if isSkipping || !carry.isEmpty { position = finishCarried(bytes, into: &batch) }
    while position < bytes.count {
      let taken = scanKnownShapes(
        UnsafeRawBufferPointer(rebasing: bytes[position...]), slack: slack, at: lineOffset, into: &batch)
      advance(bytes: taken.bytes, lines: taken.lines)
      position += taken.bytes
      guard position < bytes.count else { break }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      guard let end = rest.firstNewline else {
        keepHalfLine(rest)
        break
      }
      let zeros = Self.zeros(before: rest)
      advance(bytes: zeros, lines: 0)
      isCompared = zeros == 0 && rest.count &+ slack >= end &+ ShapeReader.room
      scanLine(UnsafeRawBufferPointer(rebasing: rest[zeros..<end]), into: &batch)
      isCompared = false
      advance(bytes: end + 1 - zeros, lines: 1)
      position += end + 1
    }
  }

  /// Maximum metrics that a reader of a long file keeps from one part to the next: more would take too much memory.
  private static let catalogueLimit = 4096

  /// Restarts the numbering of metrics at the next line if there are very many, and frees the memory of their names.
  ///
  /// - Returns: True if the metrics were forgotten.
  package mutating func forgetManyMetrics() -> Bool {
    guard catalogue.count > Self.catalogueLimit else { return false }
    (catalogue, heads) = (MetricCatalogue(), HeadTable())
    foreign.forgetMetrics()
    for place in rare.indices { rare[place].wrappers.reader.forgetMetrics() }
    return true
  }

  /// Treats an incomplete last line as complete.
  package mutating func finish(into batch: inout SampleBatch) {
    guard isSkipping || !carry.isEmpty else { return }
    let line = carry
    carry.removeAll()
    if !isSkipping { line.withUnsafeBytes { scanLine($0, into: &batch) } }
    isSkipping = false
    advance(bytes: line.count, lines: 1)
  }

  /// Continues elsewhere (in a new file of the same name, or after a lost part) and drops an incomplete line.
  ///
  /// - Returns: The number of bytes dropped.
  @discardableResult
  package mutating func restart(offset: UInt64, line: Int) -> Int {
    let dropped = carry.count
    carry.removeAll()
    foreign.restart()
    for place in rare.indices { rare[place].restart() }
    isSkipping = false
    lineOffset = offset
    firstLine = line &- lines
    return dropped
  }

  private mutating func advance(bytes: Int, lines count: Int) {
    lineOffset &+= UInt64(bytes)
    lines &+= count
  }

  /// Completes the pending half line; returns how many of the bytes belong to it.
  private mutating func finishCarried(_ bytes: UnsafeRawBufferPointer, into batch: inout SampleBatch) -> Int {
    guard let end = bytes.firstNewline else {
      keepHalfLine(bytes)
      return bytes.count
    }
    if isSkipping {
      isSkipping = false
      advance(bytes: end + 1, lines: 1)
      return end + 1
    }
    carry.append(contentsOf: bytes[..<end])
    let line = carry
    carry.removeAll(keepingCapacity: line.count <= 1 << 16)
    line.withUnsafeBytes { scanLine($0, into: &batch) }
    advance(bytes: line.count + 1, lines: 1)
    return end + 1
  }

  /// Number of NUL bytes before a line: a writer without `O_APPEND` leaves them after its file was truncated.
  private static func zeros(before line: UnsafeRawBufferPointer) -> Int {
    line.first == 0 ? line.firstIndex { $0 != 0 } ?? line.count : 0
  }

  private mutating func keepHalfLine(_ bytes: UnsafeRawBufferPointer) {
    guard !isSkipping else { return advance(bytes: bytes.count, lines: 0) }
    // NUL bytes are skipped without being stored, however many there are.
    let zeros = carry.isEmpty ? Self.zeros(before: bytes) : 0
    advance(bytes: zeros, lines: 0)
    carry.append(contentsOf: bytes.dropFirst(zeros))
    guard carry.count > RejectionReason.lineLimit else { return }
    carry.withUnsafeBytes { reject(.lineTooLong, $0, at: lineOffset) }
    unreadLines &+= 1
    isSkipping = true
    advance(bytes: carry.count, lines: 0)
    carry.removeAll()
  }

  /// Reads one complete line of any layout, without its newline.
  private mutating func scanLine(_ line: UnsafeRawBufferPointer, into batch: inout SampleBatch) {
    hasReturn = line.last == 0x0D
    let line = hasReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    guard line.first == UInt8(ascii: "{") || line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
    else {
      blankLines &+= 1
      return
    }
    do throws(LineFault) {
      guard line.count <= RejectionReason.lineLimit else { throw LineFault(.lineTooLong) }
      try scanRecords(line, at: lineOffset, into: &batch)
    } catch {
      reject(error.reason, line, at: lineOffset)
      unreadLines &+= 1
    }
  }

  mutating func noteBlankLine() { blankLines &+= 1 }
  mutating func noteUnreadLine() { unreadLines &+= 1 }

  mutating func reject(_ reason: RejectionReason, _ record: UnsafeRawBufferPointer, at offset: UInt64) {
    rejections.append(
      Rejection(
        reason: reason, line: nextLine, offset: offset,
        excerpt: Array(record.prefix(rejections.excerptLimit))))
  }
}
