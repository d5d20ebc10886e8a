import Codecs
import Essentials
import Platform
import TelemetryCore

/// The contents of a line of a file, with its value decoded: the metric, the time, and the fields of the value.
struct DecodedLine {
  /// In the order in which they are read: `net.request_ms`, the time, the value or one row a field.
  let rows: [(name: String, text: String)]

  /// Longer lines are shown as they are.
  private static let sizeLimit = 1 << 20
  /// Rows of a value at most.
  private static let rowLimit = 200

  /// - Returns: `nil` for a line that is no sample.
  init?(_ line: String, zone: ClockZone) {
    guard line.utf8.count <= Self.sizeLimit, let object = Self.json(Array(line.utf8))?.fields,
      let metric = object["metric"]?.fields, let name = metric["name"]?.text,
      let value = object["value"]?.text, let bytes = Data(base64Encoded: value)
    else { return nil }
    let bucket = metric["bucket"]?.text.map { $0 + "." } ?? ""
    let type = metric["valueTypeString"]?.text
    var rows = [("metric", bucket + name + (type.map { ": \($0)" } ?? ""))]
    if let seconds = object["timestamp"]?.double {
      let time = Timestamp(seconds)
      rows.append(("time", "\(zone.date(time)) \(zone.time(time, .milliseconds))"))
    }
    self.rows = rows + Self.value(Array(bytes))
  }

  private static func json(_ bytes: [UInt8]) -> JSONValue? { try? JSONValue(bytes) }

  /// A value as it was encoded; the parts of a struct or a list one to a row.
  private static func value(_ bytes: [UInt8]) -> [(String, String)] {
    guard let value = json(bytes) else { return [("value", String(decoding: bytes, as: UTF8.self))] }
    if let fields = value.fields {
      return fields.sorted { $0.key < $1.key }.prefix(rowLimit).map { ($0.key, text($0.value)) }
    }
    return [("value", text(value))]
  }

  private static func text(_ value: JSONValue) -> String { value.text ?? value.compactText }
}
