import Codecs
import Essentials

/// Which entries a retrieval wants: a time range with both its ends, and one metric or all.
struct EntryFilter: Sendable {
  /// The meaning of a line.
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

  /// True if a decoded entry is wanted.
  func matches(_ entry: MetricEntry) -> Bool {
    start <= entry.timestamp && entry.timestamp <= end && (metric == nil || metric == entry.metric)
  }

  /// True if the entry with these parts is wanted; without escapes in them nothing is allocated to find out.
  func matches(_ parts: EntryLine, at timestamp: Date) -> Bool {
    guard start <= timestamp, timestamp <= end else { return false }
    guard let metric else { return true }
    return equal(metric.name, parts.name) && equal(metric.valueTypeString, parts.typeName)
      && equal(metric.bucket?.id, parts.bucket)
  }

  private func equal(_ text: String?, _ other: JSONText?) -> Bool {
    guard let text, let other else { return text == nil && other == nil }
    // Texts that are equal may be written with different characters.
    guard other.isPlainASCII else { return text == other.string }
    return text.utf8.elementsEqual(other.written)
  }
}
