public import Essentials

extension Metric {
  /// Records a value and returns at once: fire and forget.
  ///
  /// The time stamp is taken now; the value travels through one serial queue to the store. Nothing is thrown: losses (a
  /// full queue, a value that cannot be encoded, a failing store) are counted in ``MetricManager/counts``. If a record
  /// must be stored before the program continues, use `try await store.record(metric, value:)`.
  ///
  /// ```swift
  /// Metrics.startupTimeMs.record(428.5)
  /// Metrics.startupTimeMs.record(428.5, in: previewStore.erased)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - store: The destination; `nil` for the store installed with ``MetricManager/installGlobal(_:)``.
  public func record(_ value: T, in store: AnyMetricStore? = nil) {
    guard let store = store ?? MetricManager.installedStore else {
      MetricManager.noteMissingStore()
      RecordQueue.shared.count { $0.withoutStore += 1 }
      return
    }
    enqueue(value, at: Date(), for: store)
  }

  private func enqueue(_ value: T, at timestamp: Date, for store: AnyMetricStore) {
    if let sink = store.sink {
      RecordQueue.shared.append(
        .sink { () throws(MetricError) in
          try sink.gather(try MetricEntry(timestamp: timestamp, metric: self, encoding: value))
        })
    } else if store.fanOut.isEmpty {
      RecordQueue.shared.append(
        .store {
          try await CallTime.$recorded.withValue(timestamp) { try await store.record(self, value: value) }
        })
    } else {
      for store in store.fanOut { enqueue(value, at: timestamp, for: store) }
    }
  }

  /// The recorded values of this metric, oldest record first; both ends belong to the range.
  ///
  /// Values that do not decode as `T` are skipped and counted in ``MetricManager/counts``.
  ///
  /// ```swift
  /// let samples = try await Metrics.startupTimeMs.retrieveAll(from: startDate, until: endDate)
  /// ```
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  ///   - store: The source; `nil` for the global store.
  /// - Throws: The store's error if it cannot be read.
  public func retrieveAll(
    from startDate: Date = .distantPast, until endDate: Date = .distantFuture, in store: AnyMetricStore? = nil
  ) async throws -> [ResolvedMetric<T>] {
    try await (store ?? MetricManager.global).retrieveAll(for: self, from: startDate, until: endDate)
  }

  /// New entries of this metric, as they are recorded.
  ///
  /// ```swift
  /// for await sample in Metrics.startupTimeMs.updates() { print(sample.value) }
  /// ```
  ///
  /// - Parameter store: The store to follow; `nil` for the global store.
  /// - Returns: A stream of samples; see `MetricStore.updates(of:)`.
  public func updates(in store: AnyMetricStore? = nil) -> MetricUpdates<T> {
    (store ?? MetricManager.global).updates(of: self)
  }
}
