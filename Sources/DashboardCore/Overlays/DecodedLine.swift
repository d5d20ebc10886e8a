import Codecs
import Essentials
import Platform
import TelemetryCore

/// A decoded line of a file: the metric, the time, and the fields of the value.
struct DecodedLine {
  /// In reading order: the metric, the time, then the value or one row per field.
  let rows: [(name: String, text: String)]

  /// Maximum bytes of a line to decode.
  private static let sizeLimit = 1 << 20
  /// Maximum rows of a value.
  private static let rowLimit = 200

  /// - Returns: `nil` for a line that is not a sample.
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

  /// A value as encoded; one row per member of a struct or list.
  private static func value(_ bytes: [UInt8]) -> [(String, String)] {
    guard let value = json(bytes) else { return [("value", String(decoding: bytes, as: UTF8.self))] }
    if let fields = value.fields {
      return fields.sorted { $0.key < $1.key }.prefix(rowLimit).map { ($0.key, text($0.value)) }
    }
    return [("value", text(value))]
  }

  private static func text(_ value: JSONValue) -> String { value.text ?? value.compactText }
}
