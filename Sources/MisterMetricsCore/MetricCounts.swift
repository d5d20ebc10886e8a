/// Counts of fire-and-forget records and of unreadable values since the process started.
///
/// Fire-and-forget recording never throws, so its losses are counted here; nothing is dropped silently.
///
/// ```swift
/// let counts = MetricManager.counts
/// if counts.lost > 0 { print("\(counts.lost) metrics were lost") }
/// ```
public struct MetricCounts: Hashable, Sendable {
  /// Calls of `metric.record(…)` that were queued.
  public internal(set) var accepted = 0
  /// Calls refused because 65,536 records were already waiting.
  public internal(set) var queueFull = 0
  /// Calls before any store was installed.
  public internal(set) var withoutStore = 0
  /// Records whose value cannot be encoded as JSON.
  public internal(set) var unencodable = 0
  /// Records that their store rejected or could not write.
  public internal(set) var failed = 0
  /// Stored values that typed retrieval skipped because they do not decode as the metric's type.
  public internal(set) var undecodable = 0

  /// All records that did not reach their store.
  public var lost: Int { queueFull + withoutStore + unencodable + failed }
}
