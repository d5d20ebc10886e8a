import Codecs
import Essentials

/// A metric entry from one line of the file.
package struct LineDecoder {
  private let decoder = JSONDecoder()

  /// A decoder; keep it for many lines.
  package init() {}

  /// The entry in `line` (without its newline), or `nil` when the line is no entry.
  package func entry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    if let parts = EntryLine(line), let entry = entry(parts) { return entry }
    return slowEntry(line)
  }

  /// The entry in `line` if its time stamp and metric are wanted.
  ///
  /// - Returns: The entry, or why there is none; an unwanted line costs no allocation when it has the usual shape.
  func entry(_ line: UnsafeRawBufferPointer, matching filter: EntryFilter) -> EntryFilter.Result {
    if let parts = EntryLine(line), let timestamp = parts.timestamp {
      guard filter.matches(parts, at: timestamp) else { return .unwanted }
      if let entry = entry(parts) { return .wanted(entry) }
    }
    guard let entry = slowEntry(line) else { return .undecodable }
    return filter.matches(entry) ? .wanted(entry) : .unwanted
  }

  /// The time stamp of the entry in `line`, or `nil` when the line is no entry.
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

  /// Foundation's decoder decides about everything that the short way leaves.
  private func slowEntry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    do {
      return try decoder.decode(MetricEntry.self, from: Data(line))
    } catch {
      return nil
    }
  }
}

extension EntryLine {
  /// The time stamp; `nil` for a form whose limits Foundation's decoder decides.
  fileprivate var timestamp: Date? {
    guard time.count <= 32, !time.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
    return Double(String(decoding: time, as: UTF8.self)).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The bytes of the value, or `nil` when it is not Base64.
  fileprivate var decodedValue: [UInt8]? {
    var bytes: [UInt8] = []
    let isDecoded =
      value.hasEscapes
      ? value.unescaped.withUnsafeBytes { Base64.decode($0, into: &bytes) }
      : Base64.decode(value.written, into: &bytes)
    return isDecoded ? bytes : nil
  }
}
