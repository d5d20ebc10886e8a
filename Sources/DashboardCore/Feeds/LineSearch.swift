import Aggregation
import JSONLines
import Platform

/// Searches the last part of a file for a sample's line.
///
/// The store keeps no offsets: sixteen bytes per sample would cost more than the milliseconds of a search.
struct LineSearch {
  /// Bytes at the end of a file that are searched.
  static let reach: UInt64 = 64 << 20
  /// Maximum bytes of a line that are shown.
  static let textLimit = 8192

  let path: String
  let query: LineQuery
  /// How lines in other formats than MisterMetrics' are read.
  var mapping: LineMapping?

  /// The last matching line; `nil` without one, or if the file cannot be read.
  func find() -> RawLine? {
    guard let file = try? ReadableFile(path: path) else { return nil }
    defer { file.close() }
    guard let size = try? file.size else { return nil }
    let start = size > Self.reach ? size - Self.reach : 0
    var scanner = SampleScanner(offset: start, mapping: mapping)
    var batch = SampleBatch()
    var found: UInt64?
    // A partial line at the start is rejected by the scanner, as intended.
    read(file, start..<size) { bytes in
      scanner.scan(bytes, into: &batch)
      found = batch.samples.last { fits($0, batch, scanner) }?.offset ?? found
      batch.removeAll()
    }
    guard let place = found else { return nil }
    let begin = LineStart.offset(ofLineAt: place) { range in
      var bytes: [UInt8] = []
      read(file, range) { bytes += $0 }
      return bytes
    }
    var line: Int?
    if start == 0 {
      var count = 1
      read(file, 0..<begin) { count += $0.count { $0 == UInt8(ascii: "\n") } }
      line = count
    }
    let (record, text) = record(file, at: place, inLineAt: begin)
    return RawLine(source: path, line: line, offset: record, text: text)
  }

  private func fits(_ sample: Sample, _ batch: SampleBatch, _ scanner: SampleScanner) -> Bool {
    guard sample.time == query.time else { return false }
    let metric = scanner.catalogue[sample.metric]
    let identity = query.identity
    guard metric.name == identity.name, metric.bucket == identity.bucket, metric.typeName == identity.typeName
    else { return false }
    if !query.holding.isEmpty {
      let text = String(decoding: batch.payload(of: sample), as: UTF8.self)
      return query.holding.allSatisfy(text.contains)
    }
    guard identity.field == nil, case .number(let value) = query.value else { return true }
    return sample.value == value
  }

  /// The line of a sample, or its record if the line holds several, with its offset.
  private func record(
    _ file: ReadableFile, at place: UInt64, inLineAt begin: UInt64
  ) -> (offset: UInt64, text: String) {
    var (line, hasEnded) = ([UInt8](), false)
    read(file, begin..<place + UInt64(Self.textLimit)) { bytes in
      guard !hasEnded else { return }
      let end = bytes.firstNewline
      line += bytes[..<(end ?? bytes.count)]
      hasEnded = end != nil
    }
    return line.withUnsafeBytes { line in
      let record = LineStart.record(at: place - begin, in: line)
      return (
        begin + UInt64(record.lowerBound),
        String(decoding: line[record].prefix(Self.textLimit), as: UTF8.self)
      )
    }
  }

  private func read(_ file: ReadableFile, _ range: Range<UInt64>, _ body: (UnsafeRawBufferPointer) -> Void) {
    var offset = range.lowerBound
    withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      while offset < range.upperBound {
        let wanted = Int(min(UInt64(buffer.count), range.upperBound - offset))
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        guard let count = try? file.read(into: part, at: offset), count > 0 else { return }
        body(UnsafeRawBufferPointer(rebasing: part[..<count]))
        offset += UInt64(count)
      }
    }
  }
}

/// Reads a whole line from its known start.
struct LineText {
  /// The line; only its beginning if the file has changed or is not a regular file.
  let line: RawLine

  init(_ rejection: FeedRejection) {
    var text = rejection.excerpt
    if let file = try? ReadableFile(path: rejection.source) {
      defer { file.close() }
      let bytes = [UInt8](unsafeUninitializedCapacity: LineSearch.textLimit) { buffer, count in
        count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: rejection.offset)) ?? 0
      }
      let whole = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
      if file.canSeek, whole.starts(with: text) { text = whole }
    }
    line = RawLine(
      source: rejection.source, line: rejection.line, offset: rejection.offset,
      text: String(decoding: text, as: UTF8.self))
  }
}
