/// New entries of one metric, as they are recorded: see `MetricStore.updates(of:)`.
///
/// Values that do not decode as `T` are skipped.
public struct MetricUpdates<T>: AsyncSequence, Sendable where T: MetricValue {
  /// A recorded value.
  public typealias Element = ResolvedMetric<T>
  /// Following never fails.
  public typealias Failure = Never

  private let metric: AnyMetric
  private let entries: AsyncStream<MetricEntry>?

  init(of metric: AnyMetric, in entries: AsyncStream<MetricEntry>?) {
    self.metric = metric
    self.entries = entries
  }

  /// Starts reading; each sequence supports one reader.
  public func makeAsyncIterator() -> Iterator {
    Iterator(metric: metric, entries: entries?.makeAsyncIterator())
  }

  /// Reads the samples one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let metric: AnyMetric
    var entries: AsyncStream<MetricEntry>.AsyncIterator?

    /// The next sample, or `nil` if the store was closed or the task was cancelled.
    public mutating func next() async -> ResolvedMetric<T>? {
      while let entry = await entries?.next() {
        guard entry.metric == metric else { continue }
        do {
          return try ResolvedMetric(decoding: entry)
        } catch {
          RecordQueue.shared.count { $0.undecodable += 1 }
        }
      }
      return nil
    }
  }
}
