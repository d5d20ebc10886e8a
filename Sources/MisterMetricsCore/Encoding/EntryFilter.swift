import Codecs
import Essentials

/// The entries that a retrieval selects: a time range with both its ends, and one metric or all.
struct EntryFilter: Sendable {
  /// The result for a line.
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

  /// True if a decoded entry is selected.
  func matches(_ entry: MetricEntry) -> Bool {
    start <= entry.timestamp && entry.timestamp <= end && (metric == nil || metric == entry.metric)
  }

  /// True if the entry with these parts is selected; allocates nothing unless they contain escapes.
  func matches(_ parts: EntryLine, at timestamp: Date) -> Bool {
    guard start <= timestamp, timestamp <= end else { return false }
    guard let metric else { return true }
    return equal(metric.name, parts.name) && equal(metric.valueTypeString, parts.typeName)
      && equal(metric.bucket?.id, parts.bucket)
  }

  private func equal(_ text: String?, _ other: JSONText?) -> Bool {
    guard let text, let other else { return text == nil && other == nil }
    // Equal texts may be written with different characters.
    guard other.isPlainASCII else { return text == other.string }
    return text.utf8.elementsEqual(other.written)
  }
}
