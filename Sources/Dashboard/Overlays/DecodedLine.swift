import Codecs
import Essentials
import Platform

/// What a line of a file says, with its value decoded: the metric, the time, and the fields of the value.
struct DecodedLine {
  /// In the order in which they are read: `net.request_ms`, the time, the value or one row a field.
  let rows: [(name: String, text: String)]

  /// Longer lines are shown as they are.
  private static let sizeLimit = 1 << 20
  /// Rows of a value at most.
  private static let rowLimit = 200

  /// - Returns: `nil` for a line that is no sample.
  init?(_ line: String, zone: ClockZone) {
    guard line.utf8.count <= Self.sizeLimit,
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let metric = object["metric"] as? [String: Any], let name = metric["name"] as? String,
      let value = object["value"] as? String, let bytes = Data(base64Encoded: value)
    else { return nil }
    let bucket = (metric["bucket"] as? String).map { $0 + "." } ?? ""
    let type = metric["valueTypeString"] as? String
    var rows = [("metric", bucket + name + (type.map { ": \($0)" } ?? ""))]
    if let seconds = object["timestamp"] as? Double {
      let time = Timestamp(seconds)
      rows.append(("time", "\(zone.date(time)) \(zone.time(time, .milliseconds))"))
    }
    self.rows = rows + Self.value(bytes)
  }

  /// A value as it was encoded; the parts of a struct or a list one to a row.
  private static func value(_ bytes: Data) -> [(String, String)] {
    guard let value = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) else {
      return [("value", String(decoding: bytes, as: UTF8.self))]
    }
    if let fields = value as? [String: Any] {
      return fields.sorted { $0.key < $1.key }.prefix(rowLimit).map { ($0.key, text($0.value)) }
    }
    return [("value", text(value))]
  }

  private static func text(_ value: Any) -> String {
    if let text = value as? String { return text }
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }
}
