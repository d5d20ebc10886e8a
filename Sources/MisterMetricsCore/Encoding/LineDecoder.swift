import Codecs
import Essentials

/// Decodes a metric entry from one line of the file.
package struct LineDecoder {
  private let decoder = JSONDecoder()

  /// A decoder; reuse it for many lines.
  package init() {}

  /// The entry in `line` (without its newline), or `nil` if the line is not an entry.
  package func entry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    if let parts = EntryLine(line), let entry = entry(parts) { return entry }
    return slowEntry(line)
  }

  /// The entry in `line`, if its time stamp and metric are selected.
  ///
  /// - Returns: The entry, or the reason there is none; skipping a line in the usual layout allocates nothing.
  func entry(_ line: UnsafeRawBufferPointer, matching filter: EntryFilter) -> EntryFilter.Result {
    if let parts = EntryLine(line), let timestamp = parts.timestamp {
      guard filter.matches(parts, at: timestamp) else { return .unwanted }
      if let entry = entry(parts) { return .wanted(entry) }
    }
    guard let entry = slowEntry(line) else { return .undecodable }
    return filter.matches(entry) ? .wanted(entry) : .unwanted
  }

  /// The time stamp of the entry in `line`, or `nil` if the line is not an entry.
  func timestamp(_ line: UnsafeRawBufferPointer) -> Date? {
    if let parts = EntryLine(line), let timestamp = parts.timestamp, parts.decodedValue != nil {
      return timestamp
    }
    return slowEntry(line)?.timestamp
  }

  private func entry(_ parts: EntryLine) -> MetricEntry? {
    guard let timestamp = parts.timestamp, let value = parts.decodedValue else { return nil }
    return MetricEntry(
      timestamp: timestamp,
      metric: AnyMetric(
        name: parts.name.string, bucket: parts.bucket.map { Bucket($0.string) },
        valueTypeString: parts.typeName.string),
      value: Data(value))
  }

  /// Foundation's decoder handles everything that the fast path does not.
  private func slowEntry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    do {
      return try decoder.decode(MetricEntry.self, from: Data(line))
    } catch {
      return nil
    }
  }
}

extension EntryLine {
  /// The time stamp; `nil` for notations whose limits Foundation's decoder determines.
  fileprivate var timestamp: Date? {
    guard time.count <= 32, !time.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
    return Double(String(decoding: time, as: UTF8.self)).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The bytes of the value, or `nil` if it is not valid Base64.
  fileprivate var decodedValue: [UInt8]? {
    var bytes: [UInt8] = []
    let isDecoded =
      value.hasEscapes
      ? value.unescaped.withUnsafeBytes { Base64.decode($0, into: &bytes) }
      : Base64.decode(value.written, into: &bytes)
    return isDecoded ? bytes : nil
  }
}
