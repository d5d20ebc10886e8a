public import Essentials
import Platform

/// A store that keeps entries in memory only: for tests, previews and temporary instrumentation.
///
/// It keeps everything until ``clear()``; release it when done.
///
/// ```swift
/// let store = MetricMemoryStore()
/// try await store.record(Metrics.startupTimeMs, value: 428.5)
/// let samples = try await store.retrieveAll(for: Metrics.startupTimeMs)
/// ```
public final class MetricMemoryStore: MetricStore {
  package let updates = UpdateHub()
  private let entries = Locked<[MetricEntry]>([])

  /// An empty store.
  public init() {}

  /// Stores the value.
  ///
  /// - Throws: ``MetricError`` with ``MetricError/Code/unencodableValue`` for a value that cannot be encoded as JSON.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await commit(metric, value: value)
  }

  /// The entries of a time range, both ends included.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    let all = entries.withLock { $0 }
    return all.filter { startDate <= $0.timestamp && $0.timestamp <= endDate }
  }

  /// Does nothing: memory has no storage to sync with.
  public func sync() async throws {}

  /// Removes all entries.
  public func clear() async throws {
    entries.withLock { $0 = [] }
  }
}

extension MetricMemoryStore: EntrySink {
  /// Stores the entry.
  package func gather(_ entry: MetricEntry) throws(MetricError) {
    try keep([entry])
  }

  /// Stores the entries.
  package func commit(_ entries: [MetricEntry]) async throws(MetricError) {
    try keep(entries)
  }

  private func keep(_ new: [MetricEntry]) throws(MetricError) {
    for entry in new where entry.value.isEmpty {
      throw MetricError(
        .unencodableValue, "the entry of \(entry.metric.name) has no value that JSON can express")
    }
    entries.withLock { $0 += new }
    updates.publish(new)
  }
}

extension MetricStore where Self == MetricMemoryStore {
  /// A store that keeps entries in memory only.
  public static func memory() -> MetricMemoryStore {
    MetricMemoryStore()
  }
}
