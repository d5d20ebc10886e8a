import Codecs

/// Turns the bytes of a MisterMetrics file into samples.
///
/// Bytes come in chunks of any size, in order; a half line at the end of one waits for the next. Three readers of
/// ever wider tolerance share the work and give the same samples for the same content:
///
/// 1. `scanCanonical`: lines exactly as `MetricEntry` is written, whose value is a number, a truth value or `null`.
/// 2. `EntryLine`: JSON objects with other key order, white space, unknown members, escapes.
/// 3. `LineEntry(foundation:)`: what is left goes to Foundation's decoder, whose word is final.
///
/// Before the second, `ForeignReader` takes the lines that other programs write: no line is both, because only those of
/// MisterMetrics have an object named `metric`. So what a line gives never depends on the lines before it.
///
/// A line that none of them takes is rejected: counted by reason and kept in `rejections`. A value type: a copy goes
/// on from the same place independently.
package struct SampleScanner: Sendable {
  /// A line longer than this is rejected without being kept in memory.
  package static let lineLimit = 16 << 20

  /// The metrics met so far.
  package internal(set) var catalogue = MetricCatalogue()
  /// The lines that could not be read.
  package internal(set) var rejections = RejectionLog()
  /// How many whole lines were seen, blank and rejected ones included.
  package private(set) var lines = 0
  /// How many of them held nothing but white space; writers that lead every batch with a newline leave such lines.
  package private(set) var blankLines = 0

  /// How lines that are not those of MisterMetrics are read; `nil` to recognize the usual ones.
  package var mapping: LineMapping? {
    get { foreign.mapping }
    set { foreign.mapping = newValue }
  }

  var heads = HeadTable()
  var foreign = ForeignReader()
  var scratch: [UInt8] = []
  var headScratch: [UInt8] = []
  /// Where the next line begins, in bytes from the start of the file.
  private var lineOffset: UInt64
  private var firstLine: Int
  private var carry: [UInt8] = []
  /// Set while the rest of a line that is too long goes by.
  private var isSkipping = false

  /// A scanner for a file from a line's start on.
  ///
  /// - Parameters:
  ///   - offset: Where the first byte to come lies in the file.
  ///   - line: The number of the line that begins there, from 1.
  ///   - mapping: How lines that are not those of MisterMetrics are read.
  package init(offset: UInt64 = 0, line: Int = 1, mapping: LineMapping? = nil) {
    lineOffset = offset
    firstLine = line
    foreign.mapping = mapping
  }

  /// The number of the line that begins next, from 1.
  package var nextLine: Int { firstLine &+ lines }
  /// How many bytes of a half line are waiting for their newline.
  package var waitingBytes: Int { carry.count }

  /// True if the next byte begins a line.
  package var isAtLineStart: Bool { carry.isEmpty && !isSkipping }

  /// Reads the next bytes; samples are appended to `batch`, which the caller empties now and then.
  ///
  /// - Parameter slack: The number of readable bytes after them, with any content; about 200 make the last lines as fast as
  ///   all others.
  package mutating func scan(
    _ bytes: UnsafeRawBufferPointer, slack: Int = 0, into batch: inout SampleBatch
  ) {
    var position = 0
    if isSkipping || !carry.isEmpty { position = finishCarried(bytes, into: &batch) }
    while position < bytes.count {
      let taken = scanCanonical(
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
      scanLine(UnsafeRawBufferPointer(rebasing: rest[zeros..<end]), into: &batch)
      advance(bytes: end + 1 - zeros, lines: 1)
      position += end + 1
    }
  }

  /// Maximum metrics that a reader of a long file keeps between parts: more would take too much memory.
  private static let catalogueLimit = 4096

  /// Numbers metrics again from the next line on where there are very many, and gives back the memory of their names.
  ///
  /// - Returns: Whether it did.
  package mutating func forgetManyMetrics() -> Bool {
    guard catalogue.count > Self.catalogueLimit else { return false }
    (catalogue, heads) = (MetricCatalogue(), HeadTable())
    foreign.forgetMetrics()
    return true
  }

  /// Takes what waits for its newline as a whole last line.
  package mutating func finish(into batch: inout SampleBatch) {
    guard isSkipping || !carry.isEmpty else { return }
    let line = carry
    carry.removeAll()
    if !isSkipping { line.withUnsafeBytes { scanLine($0, into: &batch) } }
    isSkipping = false
    advance(bytes: line.count, lines: 1)
  }

  /// Goes on elsewhere (in a new file of the same name, or after a part that is lost), dropping a waiting half line.
  ///
  /// - Returns: How many bytes were dropped.
  @discardableResult
  package mutating func restart(offset: UInt64, line: Int) -> Int {
    let dropped = carry.count
    carry.removeAll()
    isSkipping = false
    lineOffset = offset
    firstLine = line &- lines
    return dropped
  }

  private mutating func advance(bytes: Int, lines count: Int) {
    lineOffset &+= UInt64(bytes)
    lines &+= count
  }

  /// Completes the half line that waits; returns how many of the bytes belonged to it.
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

  /// How many zeros stand before a line, which begins behind them: what a writer that does not append leaves when the
  /// file was cut under it.
  private static func zeros(before line: UnsafeRawBufferPointer) -> Int {
    line.first == 0 ? line.firstIndex { $0 != 0 } ?? line.count : 0
  }

  private mutating func keepHalfLine(_ bytes: UnsafeRawBufferPointer) {
    guard !isSkipping else { return advance(bytes: bytes.count, lines: 0) }
    // However many zeros there are, they need no room.
    let zeros = carry.isEmpty ? Self.zeros(before: bytes) : 0
    advance(bytes: zeros, lines: 0)
    carry.append(contentsOf: bytes.dropFirst(zeros))
    guard carry.count > Self.lineLimit else { return }
    carry.withUnsafeBytes { reject(.lineTooLong, $0) }
    isSkipping = true
    advance(bytes: carry.count, lines: 0)
    carry.removeAll()
  }

  /// Reads one whole line of any shape, without its newline.
  private mutating func scanLine(_ line: UnsafeRawBufferPointer, into batch: inout SampleBatch) {
    let line = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    guard line.first == UInt8(ascii: "{") || line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
    else {
      blankLines &+= 1
      return
    }
    do throws(LineFault) {
      guard line.count <= Self.lineLimit else { throw LineFault(.lineTooLong) }
      // The first byte decides for nearly all lines.
      let text = line.first == 0xEF ? line.withoutByteOrderMark : line
      if try scanKnownHead(text, at: lineOffset, into: &batch) { return }
      if try foreign.read(text, at: lineOffset, &catalogue, into: &batch) { return }
      try scanObject(text, at: lineOffset, into: &batch)
    } catch {
      reject(error.reason, line)
    }
  }

  private mutating func reject(_ reason: RejectionReason, _ line: UnsafeRawBufferPointer) {
    rejections.append(
      Rejection(reason: reason, line: nextLine, offset: lineOffset, excerpt: Array(line.prefix(200))))
  }
}

/// Why a line is no sample.
struct LineFault: Error {
  let reason: RejectionReason

  init(_ reason: RejectionReason) {
    self.reason = reason
  }
}
