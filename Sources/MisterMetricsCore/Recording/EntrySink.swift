/// The package's own stores beyond ``MetricStore``: they take finished entries.
///
/// A finished entry carries the time of the call. A sink need not be awaited for a fire-and-forget entry, so the queue
/// never waits for the disk.
package protocol EntrySink: MetricStore {
  /// Sends subscribers everything recorded from now on.
  var updates: UpdateHub { get }

  /// Takes an entry that no one waits for.
  ///
  /// - Throws: ``MetricError`` when the entry is refused at once; what fails later the sink counts itself.
  func gather(_ entry: MetricEntry) throws(MetricError)

  /// Takes entries and returns when they are as safe as the store promises.
  ///
  /// - Throws: ``MetricError`` when none of them is stored.
  func commit(_ entries: [MetricEntry]) async throws(MetricError)
}

extension EntrySink {
  /// Records one value by way of ``commit(_:)``.
  package func commit<T>(_ metric: Metric<T>, value: T) async throws(MetricError) where T: MetricValue {
    let entry = try MetricEntry(metric: metric, encoding: value)
    try await commit([entry])
  }
}
