import Essentials
import JSONLines
import Platform

/// Recognizes metrics files, which are sometimes passed where payloads are expected.
enum MetricLines {
  /// Bytes searched for the first line.
  static let headSize = 64 << 10
  /// The start of a line as written by MisterMetrics.
  static let canonicalHead = Array("{\"metric\":{\"".utf8)
  /// Minimum bytes of a sample, which has a name, a type, a time and a value.
  private static let shortest = 40

  /// True if the first nonblank line is a sample.
  static func begin(_ bytes: some Collection<UInt8>) -> Bool {
    let head = bytes.prefix(headSize).drop { $0 <= 0x20 }
    let line = Array(head.prefix { $0 != 0x0A })
    guard line.count >= shortest else { return false }
    return haveSample(line)
  }

  /// True if a file with this head is a store: empty, with a sample after any unreadable lines, or with only an
  /// incomplete first line.
  static func mayBegin(store head: [UInt8]) -> Bool {
    let first = head.drop { $0 <= 0x20 }
    return first.starts(with: canonicalHead) || canonicalHead.starts(with: first) || haveSample(head)
  }

  /// The first bytes of a file, to be searched for a sample.
  ///
  /// - Throws: `POSIXError` if the file cannot be read.
  static func head(of path: String) throws -> [UInt8] {
    let file = try ReadableFile.seekable(path: path)
    defer { file.close() }
    return try [UInt8](unsafeUninitializedCapacity: headSize) { buffer, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
  }

  /// The first and the last bytes of a file; the latter begin with a whole line.
  ///
  /// - Throws: `POSIXError` if the file cannot be read.
  static func ends(of path: String) throws -> [[UInt8]] {
    let head = try head(of: path)
    let file = try ReadableFile.seekable(path: path)
    defer { file.close() }
    let size = try file.size
    guard size > UInt64(headSize) else { return [head] }
    let tail = try [UInt8](unsafeUninitializedCapacity: headSize) { buffer, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: size - UInt64(headSize))
    }
    return [head, Array(tail.drop { $0 != 0x0A })]
  }

  /// True if there are samples, all of one bucket, or no line at all: one that is long may fill the end of a file.
  static func areAll(_ bytes: [UInt8], in bucket: String) -> Bool {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    bytes.withUnsafeBytes { scanner.scan($0, into: &batch) }
    return (!batch.samples.isEmpty || bytes.count <= 1)
      && batch.samples.allSatisfy { scanner.catalogue[$0.metric].bucket == bucket }
  }

  private static func haveSample(_ bytes: [UInt8]) -> Bool {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    bytes.withUnsafeBytes { scanner.scan($0, into: &batch) }
    scanner.finish(into: &batch)
    return !batch.samples.isEmpty
  }
}
