import Foundation

/// A metric entry from one line of the file.
package struct LineDecoder {
  private let decoder = JSONDecoder()

  /// A decoder; keep it for many lines.
  package init() {}

  /// The entry in `line` (without its newline), or `nil` when the line is no entry.
  package func entry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    if let fields = LineFields(line), let entry = entry(fields, in: line) { return entry }
    return slowEntry(line)
  }

  /// The entry in `line` if its time stamp and metric are wanted.
  ///
  /// - Returns: The entry, or why there is none; an unwanted line costs no allocation when it has the usual shape.
  func entry(_ line: UnsafeRawBufferPointer, matching filter: EntryFilter) -> EntryFilter.Result {
    if let fields = LineFields(line) {
      guard filter.matches(fields, in: line) else { return .unwanted }
      if let entry = entry(fields, in: line) { return .wanted(entry) }
    }
    guard let entry = slowEntry(line) else { return .undecodable }
    return filter.matches(entry) ? .wanted(entry) : .unwanted
  }

  /// The time stamp of the entry in `line`, or `nil` when the line is no entry.
  func timestamp(_ line: UnsafeRawBufferPointer) -> Date? {
    if let fields = LineFields(line), Base64.decode(line, fields) != nil {
      return Date(timeIntervalSinceReferenceDate: fields.timestamp)
    }
    return slowEntry(line)?.timestamp
  }

  private func entry(_ fields: LineFields, in line: UnsafeRawBufferPointer) -> MetricEntry? {
    guard let value = Base64.decode(line, fields) else { return nil }
    func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }
    return MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: fields.timestamp),
      metric: AnyMetric(
        name: text(fields.name), bucket: fields.bucket.map { Bucket(text($0)) },
        valueTypeString: text(fields.valueType)
      ),
      value: value)
  }

  private func slowEntry(_ line: UnsafeRawBufferPointer) -> MetricEntry? {
    do {
      return try decoder.decode(MetricEntry.self, from: Data(line))
    } catch {
      return nil
    }
  }
}

extension Base64 {
  /// The value of a line, or `nil` when it is no Base64.
  static func decode(_ line: UnsafeRawBufferPointer, _ fields: LineFields) -> Data? {
    let text = UnsafeRawBufferPointer(rebasing: line[fields.value])
    guard fields.isValueEscaped else { return decode(text) }
    return text.filter { $0 != UInt8(ascii: "\\") }.withUnsafeBytes { decode($0) }
  }
}
