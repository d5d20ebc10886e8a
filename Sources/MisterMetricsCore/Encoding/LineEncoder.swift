import Codecs
import Essentials

/// Encodes a metric entry as one line of the file.
///
/// The line is byte for byte what Foundation's `JSONEncoder` with `.sortedKeys` writes for the entry, plus `\n`:
///
/// ```
/// {"metric":{"bucket":"app","name":"launch_count","valueTypeString":"Int"},"timestamp":816918481.1326969,"value":"MA=="}
/// ```
package enum LineEncoder {
  /// Appends the line of `entry` to `bytes`.
  ///
  /// - Throws: ``MetricError/Code/unencodableValue`` for an entry without a value, or with a time stamp that is not a
  ///   number.
  package static func append(_ entry: MetricEntry, to bytes: inout [UInt8]) throws(MetricError) {
    try appendObject(entry, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the JSON object of `entry`, without a newline.
  package static func appendObject(_ entry: MetricEntry, to bytes: inout [UInt8]) throws(MetricError) {
    let seconds = entry.timestamp.timeIntervalSinceReferenceDate
    guard !entry.value.isEmpty else {
      throw MetricError(
        .unencodableValue, "the value of \(entry.metric.name) cannot be encoded as JSON")
    }
    guard seconds.isFinite else {
      throw MetricError(.unencodableValue, "the timestamp of \(entry.metric.name) is \(seconds)")
    }
    JSONWriter.append(#"{"metric":{"#, to: &bytes)
    if let bucket = entry.metric.bucket {
      JSONWriter.append(#""bucket":"#, to: &bytes)
      JSONWriter.append(text: bucket.id, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    JSONWriter.append(#""name":"#, to: &bytes)
    JSONWriter.append(text: entry.metric.name, to: &bytes)
    JSONWriter.append(#","valueTypeString":"#, to: &bytes)
    JSONWriter.append(text: entry.metric.valueTypeString, to: &bytes)
    JSONWriter.append(#"},"timestamp":"#, to: &bytes)
    JSONWriter.append(number: seconds, to: &bytes)
    JSONWriter.append(#","value":""#, to: &bytes)
    entry.value.withUnsafeBytes { Base64.append(escaping: $0, to: &bytes) }
    JSONWriter.append(#""}"#, to: &bytes)
  }
}
