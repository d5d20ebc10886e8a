import Codecs
import DashboardCore
import JSONLines
import Platform

/// The findings in one metrics file.
struct DoctorFindings {
  private var scanner: SampleScanner
  private var batch = SampleBatch()
  private(set) var shapes = LineShapes()
  private(set) var kinds: [SampleKind: Int] = [:]
  private(set) var order = TimeOrder()
  /// Bytes after the last newline; 0 if the file ends with one.
  private(set) var tornBytes = 0
  /// True if the file ends in the middle of a line.
  private(set) var isTorn = false
  private(set) var bytes: UInt64 = 0
  /// Describes missing data at the end of the decompressed stream.
  var note: PlainStream.Note?

  /// - Parameter mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  init(mapping: LineMapping? = nil) {
    scanner = SampleScanner(mapping: mapping)
  }

  var rejections: RejectionLog { scanner.rejections }
  var lines: Int { scanner.lines }
  var blankLines: Int { scanner.blankLines }
  var mapping: LineMapping? { scanner.mapping }
  var metrics: Int { scanner.catalogue.count }
  /// The foreign formats that were recognized.
  var formats: Set<ForeignFormat> { scanner.catalogue.formats }
  /// True if there were lines, but none of them could be read.
  var isUnreadable: Bool { scanner.isUnreadable }

  /// The difference between the clock of the writer and this machine's, if the file was last written at a moment.
  func skew(of path: String, written: Timestamp) -> SourceSkew {
    SourceSkew(
      source: path, seconds: written - order.last, zoneOffset: scanner.zoneOffset(at: written))
  }

  mutating func add(_ part: UnsafeRawBufferPointer) {
    shapes.add(part)
    scanner.scan(part, into: &batch)
    bytes += UInt64(part.count)
    // The scanner's buffer does not show this: it keeps neither NUL bytes nor overlong lines.
    if let last = part.last { isTorn = last != UInt8(ascii: "\n") }
    drain()
  }

  mutating func finish() {
    tornBytes = scanner.waitingBytes
    scanner.finish(into: &batch)
    shapes.finish()
    drain()
  }

  private mutating func drain() {
    for sample in batch.samples {
      kinds[sample.kind, default: 0] += 1
      order.add(sample.time, at: sample.offset)
    }
    batch.removeAll()
  }
}

/// Counts of the forms in which lines are written.
struct LineShapes {
  private(set) var canonical = 0
  private(set) var other = 0
  private(set) var carriageReturns = 0
  private(set) var hasByteOrderMark = false
  private var head: [UInt8] = []
  private var lastByte: UInt8 = 0
  private var isFirst = true

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let end = rest.firstIndex(of: 0x0A)
      let part = rest[..<(end ?? rest.count)]
      head += part.prefix(MetricLines.canonicalHead.count - min(head.count, MetricLines.canonicalHead.count))
      lastByte = part.last ?? lastByte
      guard let end else { return }
      endLine()
      start += end + 1
    }
  }

  mutating func finish() {
    // A carriage return without a newline does not end a line.
    lastByte = 0
    if !head.isEmpty { endLine() }
  }

  private mutating func endLine() {
    if isFirst, head.hasByteOrderMark { hasByteOrderMark = true }
    isFirst = false
    if lastByte == 0x0D { carriageReturns += 1 }
    if head == MetricLines.canonicalHead { canonical += 1 } else if !head.isEmpty { other += 1 }
    head.removeAll(keepingCapacity: true)
    lastByte = 0
  }
}

/// Checks the time order of the samples in a file.
struct TimeOrder {
  private(set) var first = Timestamp.distantFuture
  private(set) var last = Timestamp.distantPast
  /// Samples older than an earlier one in the file.
  private(set) var late = 0
  /// The largest step back, in seconds, and its byte offset.
  private(set) var worst: (seconds: Double, offset: UInt64)?

  mutating func add(_ time: Timestamp, at offset: UInt64) {
    if time < last {
      late += 1
      if last - time > worst?.seconds ?? 0 { worst = (last - time, offset) }
    }
    first = min(first, time)
    last = max(last, time)
  }
}
