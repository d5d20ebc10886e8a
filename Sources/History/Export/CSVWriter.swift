import Codecs
package import JSONLines
package import Platform

/// Writes comma-separated values (RFC 4180), one row per sample, or per field of a struct value.
///
/// `null` is an empty value, and an empty text a quoted one; arrays, and structs without a scalar field, are JSON.
///
/// If payloads are among the first samples, there are more columns, and payloads have a row for each value, bin and frame.
package struct CSVWriter: ExportWriter {
  private static let columns = ["time", "timestamp", "bucket", "name", "type", "field", "value"]
  private static let payloadColumns = [
    "unit", "lower", "upper", "count", "payload", "simulated", "multiple_versions",
  ]

  private let options: ExportOptions
  /// The end of a row: commas in place of the columns that only payloads fill, and the labels of every sample.
  private var filler: [UInt8] = []

  /// Bucket, name and type of each metric, each followed by a comma.
  private var metrics: [[UInt8]] = []

  package init(payloads options: ExportOptions = .init()) {
    self.options = options
    takesPayloads = options.labels != nil
  }

  /// False once the head has no columns for them.
  package private(set) var takesPayloads: Bool

  package mutating func head(hasPayloads: Bool) -> [UInt8] {
    takesPayloads = takesPayloads || hasPayloads
    var columns = Self.columns
    if takesPayloads {
      columns += Self.payloadColumns + (options.labels ?? PayloadRows.usualLabels)
      filler = Array(repeating: UInt8(ascii: ","), count: columns.count - Self.columns.count)
    }
    for label in options.fixed {
      columns.append(label.name)
      filler.append(UInt8(ascii: ","))
      CSVText.append(Array(label.value.utf8)[...], to: &filler)
    }
    var head: [UInt8] = []
    Self.append(row: columns, to: &head)
    return head
  }

  package mutating func write(_ payloads: PayloadArchive, _ emit: ([UInt8]) throws -> Void) throws {
    var output: [UInt8] = []
    try PayloadRows(payloads, options).forEach { row in
      append(row, to: &output)
      guard output.count > 1 << 18 else { return }
      try emit(output)
      output.removeAll(keepingCapacity: true)
    }
    try emit(output)
  }

  private func append(_ row: PayloadRows.Row, to output: inout [UInt8]) {
    var (time, seconds, value): ([UInt8], [UInt8], String) = ([], [], "")
    ExportTime.appendISO(row.time, to: &time)
    Decimals.append(row.time.seconds, to: &seconds)
    var (lower, upper, count) = ("", "", "")
    switch row.value {
    case .number(let number): value = Self.decimal(number)
    case .text(let text): value = text
    case .bin(let start, let end, let samples):
      (lower, upper, count) = (Self.decimal(start), Self.decimal(end), "\(samples)")
    case .frame(let text, let samples): (value, count) = (text, samples.map { "\($0)" } ?? "")
    }
    Self.append(
      row: [
        String(decoding: time, as: UTF8.self), String(decoding: seconds, as: UTF8.self),
        PayloadArchive.bucket, row.name, row.type, row.field, value, row.unit, lower, upper, count,
        row.payload,
      ] + row.marks.map { "\($0.isSet)" } + row.labels + options.fixed.map(\.value), to: &output)
  }

  private static func decimal(_ number: Double) -> String {
    var text: [UInt8] = []
    Decimals.append(number, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(row cells: [String], to output: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      CSVText.append(Array(cell.utf8)[...], to: &output)
    }
    output += "\r\n".utf8
  }

  package mutating func meet(_ metric: MetricIdentity) {
    var cells: [UInt8] = []
    for text in [metric.bucket ?? "", metric.name, metric.typeName] {
      CSVText.append(Array(text.utf8)[...], to: &cells)
      cells.append(UInt8(ascii: ","))
    }
    metrics.append(cells)
  }

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    var start: [UInt8] = []
    ExportTime.appendISO(sample.time, to: &start)
    start.append(UInt8(ascii: ","))
    Decimals.append(sample.time.seconds, to: &start)
    start.append(UInt8(ascii: ","))
    start += metrics[sample.metric]
    var hasFields = false
    if sample.kind == .object {
      StructFields.forEachScalar(in: sample.payload) { name, value in
        hasFields = true
        append(row: start, name, value.kind, value.number, value.payload, to: &output)
      }
    }
    if !hasFields { append(row: start, "", sample.kind, sample.number, sample.payload, to: &output) }
    return true
  }

  private func append(
    row start: [UInt8], _ field: String, _ kind: SampleKind, _ number: Double, _ payload: ArraySlice<UInt8>,
    to output: inout [UInt8]
  ) {
    output += start
    CSVText.append(Array(field.utf8)[...], to: &output)
    output.append(UInt8(ascii: ","))
    switch kind {
    case .number: Decimals.append(number, to: &output)
    case .wideInteger: output += payload
    case .bool: output += number != 0 ? "true".utf8 : "false".utf8
    case .null: break
    case .text where payload.isEmpty: output += "\"\"".utf8
    case .text, .object, .array: CSVText.append(ExportText.utf8(payload), to: &output)
    }
    output += filler
    output += "\r\n".utf8
  }
}
