/// The capabilities of the package's own stores beyond ``MetricStore``: they accept complete entries.
///
/// A complete entry carries the time of the call. A sink need not be awaited for a fire-and-forget entry, so the queue
/// never waits for the disk.
package protocol EntrySink: MetricStore {
  /// Publishes everything recorded from now on to subscribers.
  var updates: UpdateHub { get }

  /// Accepts an entry that no caller waits for.
  ///
  /// - Throws: ``MetricError`` if the entry is rejected at once; the sink itself counts later failures.
  func gather(_ entry: MetricEntry) throws(MetricError)

  /// Accepts entries and returns when they are as durable as the store promises.
  ///
  /// - Throws: ``MetricError`` if none of them is stored.
  func commit(_ entries: [MetricEntry]) async throws(MetricError)
}

extension EntrySink {
  /// Records one value with ``commit(_:)``.
  package func commit<T>(_ metric: Metric<T>, value: T) async throws(MetricError) where T: MetricValue {
    let entry = try MetricEntry(metric: metric, encoding: value)
    try await commit([entry])
  }
}
