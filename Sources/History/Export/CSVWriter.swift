import Codecs
package import JSONLines
package import Platform

/// Writes comma-separated values (RFC 4180), one row per sample, or per field of a struct value.
///
/// `null` is an empty value, and an empty text a quoted one; arrays, and structs without a scalar field, are JSON.
package struct CSVWriter: ExportWriter {
  private static let columns = ["time", "timestamp", "bucket", "name", "type", "field", "value"]

  /// Bucket, name and type of each metric, each followed by a comma.
  private var metrics: [[UInt8]] = []

  package init() {}

  package var head: [UInt8] { Array((Self.columns.joined(separator: ",") + "\r\n").utf8) }

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
        Self.append(row: start, name, value.kind, value.number, value.payload, to: &output)
      }
    }
    if !hasFields { Self.append(row: start, "", sample.kind, sample.number, sample.payload, to: &output) }
    return true
  }

  private static func append(
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
    output += "\r\n".utf8
  }

}
