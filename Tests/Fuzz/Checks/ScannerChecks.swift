import Foundation
import Platform

@testable import JSONLines

/// A scanner's result for some bytes.
struct ScannerReading: Equatable {
  /// A sample without the numbers that depend on the order in which metrics were met.
  struct Read: Equatable {
    let metric: MetricIdentity
    let time: UInt64
    let value: UInt64
    let kind: SampleKind
    let offset: UInt64
    let payload: [UInt8]
  }

  var samples: [Read] = []
  var rejections: [Rejection] = []
  var lines = 0
  var blankLines = 0

  init() {}

  /// Reads all pieces and takes the last half line as a whole one.
  init(_ bytes: UnsafeRawBufferPointer, sizes: [Int]) {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    bytes.forEachPiece(sizes: sizes) { piece in
      // A copy right behind the piece, so that the address sanitizer sees a read past its end.
      Array(piece).withUnsafeBytes { scanner.scan($0, into: &batch) }
    }
    scanner.finish(into: &batch)
    add(scanner, batch)
  }

  /// Adds what a scanner of the part that follows has read.
  mutating func add(_ scanner: SampleScanner, _ batch: SampleBatch) {
    samples += batch.samples.map { sample in
      Read(
        metric: scanner.catalogue[sample.metric], time: sample.time.seconds.bitPattern,
        value: sample.value.bitPattern,
        kind: sample.kind, offset: sample.offset, payload: Array(batch.payload(of: sample)))
    }
    rejections += scanner.rejections.recent.map { rejection in
      var moved = rejection
      moved.line += lines
      return moved
    }
    lines += scanner.lines
    blankLines += scanner.blankLines
  }
}

/// Checks of the line splitter and the scanner as a whole.
enum ScannerChecks {
  /// Lines are counted and placed as a plain split does it.
  static func lines(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let sizes = [input.steering(), input.steering() * 7]
    let reading = ScannerReading(input.bytes, sizes: sizes)
    var lines = input.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // Zeros before a line do not belong to it, and alone behind the last newline they are none.
    if lines.last?.allSatisfy({ $0 == 0 }) == true { lines.removeLast() }
    lines = lines.map { line in line.first == 0 ? line.drop { $0 == 0 } : line }
    let starts = Set(lines.map { UInt64($0.startIndex) })
    let blank = lines.count { isBlank(UnsafeRawBufferPointer(rebasing: $0)) }
    guard reading.lines == lines.count, reading.blankLines == blank else {
      return "\(reading.lines) lines and \(reading.blankLines) blank ones of \(lines.count) and \(blank)"
    }
    if lines.contains(where: { LineRecords.hasSeveral(UnsafeRawBufferPointer(rebasing: $0)) }) {
      return misplaced(reading, lines)
    }
    // The log keeps the newest thousand.
    let rejected = lines.count - blank - reading.samples.count
    let whole = reading.rejections.filter { !$0.reason.isFlaw }
    // A line of OpenTelemetry holds any number of samples, each at a place inside it.
    if reading.samples.contains(where: { $0.metric.foreignFormat == .otlp }) { return nil }
    // A record may be read although something follows it.
    let isComplete = whole.count < RejectionLog.capacity && reading.rejections.count < RejectionLog.capacity
    guard !isComplete || whole.filter({ starts.contains($0.offset) }).count == rejected else {
      return "\(reading.samples.count) samples and \(whole.count) rejections of \(lines.count)"
    }
    return misplaced(reading, lines)
  }

  /// True for a line of white space, or of a few brackets and commas.
  private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    let isEmpty = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    var frame = LineRecords(line)
    return isEmpty || (line.count <= LineRecords.emptyLimit && frame.next() == nil && frame.isAtEnd)
  }

  /// The complaint about a place outside its line; `nil` if there is none.
  private static func misplaced(
    _ reading: ScannerReading, _ lines: [Slice<UnsafeRawBufferPointer>]
  ) -> String? {
    let starts = lines.map { UInt64($0.startIndex) }
    guard reading.samples.allSatisfy({ sample in starts.contains { $0 <= sample.offset } }) else {
      return "an offset is before all lines"
    }
    let isPlaced = reading.rejections.allSatisfy { rejection in
      let line = lines[rejection.line - 1]
      return (line.startIndex...line.endIndex).contains(Int(rejection.offset))
    }
    return isPlaced ? nil : "the number of a rejected line is wrong"
  }

  /// In pieces the bytes give what they give whole.
  static func chunks(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let sizes = [input.steering(), input.steering(), input.steering() * 5]
    let whole = ScannerReading(input.bytes, sizes: [.max])
    let cut = ScannerReading(input.bytes, sizes: sizes)
    return whole == cut ? nil : "pieces of \(sizes) give \(cut), not \(whole)"
  }

  /// Lines of MisterMetrics give what each gives alone, by a scanner that knows no shape.
  static func shapes(_ input: UnsafeRawBufferPointer) -> String? {
    let lines = input.split(separator: 0x0A).filter { line in
      line.first != 0 && Data(line).firstRange(of: Data("\"metric\"".utf8)) != nil
    }
    var (text, apart) = ([UInt8](), ScannerReading())
    // Three times, so that all shapes are known and used.
    for line in lines + lines + lines {
      var (scanner, batch) = (SampleScanner(offset: UInt64(text.count)), SampleBatch())
      let whole = Array(line) + [0x0A]
      whole.withUnsafeBytes { scanner.scan($0, into: &batch) }
      apart.add(scanner, batch)
      text += whole
    }
    let together = text.withUnsafeBytes { ScannerReading($0, sizes: [.max]) }
    // A scanner keeps more bytes of the first lines that it rejects.
    let isSame =
      together.samples == apart.samples && together.lines == apart.lines
      && together.rejections.map(\.offset) == apart.rejections.map(\.offset)
      && together.rejections.map(\.reason) == apart.rejections.map(\.reason)
    return isSame ? nil : "together the lines give \(together), not \(apart)"
  }

  /// Two ranges of a file, read apart, give what the whole file gives.
  static func ranges(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let place = input.steering() << 8 | input.steering()
    let size = input.steering()
    let bytes = input.bytes
    let middle = UInt64(place % (bytes.count + 1))
    var reading = ScannerReading()
    for range in [0..<middle, middle..<UInt64(bytes.count)] {
      let part = read(range, of: bytes, size: max(1, size))
      reading.add(part.scanner, part.batch)
    }
    let whole = ScannerReading(bytes, sizes: [.max])
    return whole == reading ? nil : "cut at \(middle) the ranges give \(reading), not \(whole)"
  }

  /// Reads a range as `FileScan` does: in one buffer, behind whose new bytes the older ones still lie.
  private static func read(
    _ range: Range<UInt64>, of bytes: UnsafeRawBufferPointer, size: Int
  ) -> (scanner: SampleScanner, batch: SampleBatch) {
    var reader = RangeReader(range: range)
    var batch = SampleBatch()
    var size = size
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + FileScan.slack, alignment: 16)
    defer { room.deallocate() }
    room.initializeMemory(as: UInt8.self, repeating: 0)
    while !reader.isDone {
      let start = min(Int(reader.position), bytes.count)
      let count = min(size, bytes.count - start)
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      let before = reader.position
      reader.take(UnsafeRawBufferPointer(rebasing: room[..<count]), into: &batch)
      if count == 0 { reader.scanner.finish(into: &batch) }
      // So that a line longer than the pieces is not read for ever.
      if reader.position == before { size = bytes.count }
    }
    return (reader.scanner, batch)
  }
}
