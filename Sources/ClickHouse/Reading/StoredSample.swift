import Codecs
import Essentials
import JSONLines
import MisterMetricsCore
import Platform

/// A row of the table `samples`, and the line that it was made of.
struct StoredSample {
  let host: String
  /// Nanoseconds since 1970.
  let at: Int64
  let seq: UInt64
  private let metric: AnyMetric
  private let value: Data

  /// Reads ``PageStatements/columns``.
  init(_ row: inout RowBinaryReader) throws(RowBinaryReader.Damage) {
    let (bucket, name, type) = (try row.text(), try row.text(), try row.text())
    metric = AnyMetric(name: name, bucket: bucket.isEmpty ? nil : Bucket(bucket), valueTypeString: type)
    host = try row.text()
    at = try row.word()
    let kind = SampleKind(rawValue: try row.word())
    let (number, label, json) = (try row.double(), try row.bytes(), try row.bytes())
    _ = try row.word(UInt64.self)
    seq = try row.word()
    var value: [UInt8] = []
    switch kind {
    case .number where number.isFinite: JSONWriter.append(number: number, to: &value)
    case .bool: value += label
    case .text: JSONWriter.append(text: String(decoding: label, as: UTF8.self), to: &value)
    case .object, .array, .wideInteger: value += json
    case .null, .number, nil: value += "null".utf8
    }
    self.value = Data(value)
  }

  var time: Timestamp { SampleTimes.time(at) }

  /// Appends the line as `MetricEntry` writes it, with its newline.
  func append(to bytes: inout [UInt8]) {
    let date = Date(timeIntervalSinceReferenceDate: time.seconds)
    // Neither the time nor the value can be refused.
    try? LineEncoder.append(MetricEntry(timestamp: date, metric: metric, value: value), to: &bytes)
  }
}

/// Rows as samples of lines.
struct StoredSamples {
  let rows: [StoredSample]
  /// The lines, and the place of each row's line among them.
  private(set) var lines: [UInt8] = []
  private var starts: [UInt64] = []
  private(set) var batch = SampleBatch()
  private(set) var catalogue = MetricCatalogue()

  init(_ rows: [StoredSample]) {
    self.rows = rows
    for row in rows {
      starts.append(UInt64(lines.count))
      row.append(to: &lines)
    }
    var scanner = SampleScanner()
    lines.withUnsafeBytes { scanner.scan($0, into: &batch) }
    catalogue = scanner.catalogue
  }

  /// Calls `body` with each sample, its row and its line.
  func forEach(_ body: (Sample, StoredSample, ArraySlice<UInt8>) -> Void) {
    var place = 0
    for sample in batch.samples {
      while place < starts.count, starts[place] < sample.offset { place += 1 }
      guard place < starts.count, starts[place] == sample.offset else { continue }
      let end = place + 1 < starts.count ? Int(starts[place + 1]) : lines.count
      body(sample, rows[place], lines[Int(starts[place])..<max(Int(starts[place]), end - 1)])
    }
  }
}
