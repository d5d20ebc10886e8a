import JSONLines

/// The lines of a metrics file, which stands where payloads are expected at times.
enum MetricLines {
  /// The first line is looked for among so many bytes.
  static let headSize = 64 << 10
  /// A sample has a name, a type, a time and a value; what is shorter is none.
  private static let shortest = 40

  /// Whether the first line that is not blank is a sample.
  static func begin(_ bytes: some Collection<UInt8>) -> Bool {
    let head = bytes.prefix(headSize).drop { $0 <= 0x20 }
    let line = Array(head.prefix { $0 != 0x0A })
    guard line.count >= shortest else { return false }
    var scanner = SampleScanner()
    var batch = SampleBatch()
    line.withUnsafeBytes { scanner.scan($0, into: &batch) }
    scanner.finish(into: &batch)
    return !batch.samples.isEmpty
  }
}
