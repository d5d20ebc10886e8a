public import Essentials

extension MetricStore {
  /// This store as the type that `metric.record(_:in:)` accepts.
  public var erased: AnyMetricStore {
    AnyMetricStore(self)
  }

  /// The recorded values of one metric, oldest record first; both ends belong to the range.
  ///
  /// Only entries of exactly this metric count: its name, bucket and value type. Values that do not decode as `T` are
  /// skipped and counted in ``MetricManager/counts``; use ``retrieve(_:from:until:)`` to see how many.
  ///
  /// ```swift
  /// let samples = try await store.retrieveAll(for: Metrics.startupTimeMs)
  /// ```
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  /// - Throws: The store's error if it cannot be read.
  public func retrieveAll<T>(
    for metric: Metric<T>, from startDate: Date = .distantPast, until endDate: Date = .distantFuture
  ) async throws -> [ResolvedMetric<T>] {
    try await retrieve(metric, from: startDate, until: endDate).samples
  }

  /// The recorded values of one metric, and the number of stored values that are not a `T`.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  /// - Throws: The store's error if it cannot be read.
  public func retrieve<T>(
    _ metric: Metric<T>, from startDate: Date = .distantPast, until endDate: Date = .distantFuture
  ) async throws -> MetricRetrieval<T> {
    let wanted = AnyMetric(metric)
    var result = MetricRetrieval<T>()
    if let file: MetricFileStore = erased.unbox() {
      for try await entry in file.entries(of: wanted, from: startDate, until: endDate) { result.add(entry) }
    } else {
      for entry in try await retrieveAll(from: startDate, until: endDate) where entry.metric == wanted {
        result.add(entry)
      }
    }
    let undecodable = result.undecodable
    if undecodable > 0 { RecordQueue.shared.count { $0.undecodable += undecodable } }
    return result
  }

  /// New entries of one metric, as they are recorded through this store.
  ///
  /// The stream follows this store value (and its copies), not other processes. It ends when the store is closed or the
  /// reading task is cancelled. At most 65,536 entries wait for a slow reader; beyond that, the oldest are dropped.
  /// Only the package's own stores can be followed; the stream of any other store ends at once.
  ///
  /// ```swift
  /// for await sample in store.updates(of: Metrics.startupTimeMs) { print(sample.value) }
  /// ```
  ///
  /// - Parameter metric: The metric to follow.
  public func updates<T>(of metric: Metric<T>) -> MetricUpdates<T> {
    MetricUpdates(of: AnyMetric(metric), in: erased.updateHub?.entries())
  }

  /// Stores complete entries with their own time stamps, in this order: for historical data from elsewhere.
  ///
  /// ```swift
  /// try await store.append([MetricEntry(timestamp: yesterday, metric: Metrics.startupTimeMs, value: 428.5)])
  /// ```
  ///
  /// - Parameter entries: The entries; either all of them are stored or none.
  /// - Throws: ``MetricError``; ``MetricError/Code/unsupported`` for a store from outside this package.
  public func append(_ entries: [MetricEntry]) async throws {
    let erased = self.erased
    if let sink = erased.sink { return try await sink.commit(entries) }
    guard !erased.fanOut.isEmpty else {
      throw MetricError(.unsupported, "\(Self.self) takes no finished entries")
    }
    for store in erased.fanOut { try await store.append(entries) }
  }
}
