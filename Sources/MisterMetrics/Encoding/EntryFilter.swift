import Foundation

/// Which entries a retrieval wants: a time range with both its ends, and one metric or all.
struct EntryFilter: Sendable {
  /// What a line turned out to be.
  enum Result {
    case wanted(MetricEntry)
    case unwanted
    case undecodable
  }

  let start: Date
  let end: Date
  let metric: AnyMetric?

  init(from start: Date = .distantPast, until end: Date = .distantFuture, of metric: AnyMetric? = nil) {
    self.start = start
    self.end = end
    self.metric = metric
  }

  /// Whether a decoded entry is wanted.
  func matches(_ entry: MetricEntry) -> Bool {
    start <= entry.timestamp && entry.timestamp <= end && (metric == nil || metric == entry.metric)
  }

  /// Whether the entry with these parts is wanted; nothing is allocated to find out.
  func matches(_ fields: LineFields, in line: UnsafeRawBufferPointer) -> Bool {
    let timestamp = Date(timeIntervalSinceReferenceDate: fields.timestamp)
    guard start <= timestamp, timestamp <= end else { return false }
    guard let metric else { return true }
    return same(metric.name, line[fields.name]) && same(metric.valueTypeString, line[fields.valueType])
      && same(metric.bucket?.id, fields.bucket.map { line[$0] })
  }

  private func same(_ text: String?, _ bytes: Slice<UnsafeRawBufferPointer>?) -> Bool {
    guard let text, let bytes else { return text == nil && bytes == nil }
    // Plain ASCII on the right: equal texts are equal bytes.
    return text.utf8.elementsEqual(bytes)
  }
}
