/// The result of typed retrieval: samples, and the number of stored values that were skipped.
///
/// ```swift
/// let found = try await store.retrieve(Metrics.startupTimeMs)
/// print(found.samples.count, "samples,", found.undecodable, "unreadable")
/// ```
public struct MetricRetrieval<T>: Sendable where T: MetricValue {
  /// The values, in the order of recording.
  public private(set) var samples: [ResolvedMetric<T>] = []

  /// Number of stored values of this metric that do not decode as `T`, for instance after the struct has changed.
  public private(set) var undecodable = 0

  mutating func add(_ entry: MetricEntry) {
    do {
      samples.append(try ResolvedMetric(decoding: entry))
    } catch {
      undecodable += 1
    }
  }
}
