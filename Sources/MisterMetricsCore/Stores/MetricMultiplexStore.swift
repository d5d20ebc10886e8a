public import Essentials

/// A store that passes everything on to several others: fan-out.
///
/// ```swift
/// let file = try MetricFileStore(file: fileURL)
/// MetricManager.installGlobal(MetricMultiplexStore(file, MetricMemoryStore()))
/// ```
///
/// Every store is served even if another one fails. Retrieval asks the first store, and `updates(of:)` follows it.
public struct MetricMultiplexStore: FanOutStore {
  /// The stores, in the order in which they are called.
  public let stores: [AnyMetricStore]

  /// Fans out to `stores`.
  ///
  /// - Parameter stores: The stores; the first one answers retrieval.
  public init(_ stores: [any MetricStore]) {
    self.stores = stores.map { $0.erased }
  }

  /// Fans out to `stores`.
  ///
  /// - Parameter stores: The stores; the first one answers retrieval.
  public init(_ stores: any MetricStore...) {
    self.init(stores)
  }

  /// Records in every store, with the same time stamp in those of this package.
  ///
  /// - Throws: ``MetricError`` with ``MetricError/Code/storesFailed`` if a store failed; its cause is the first error.
  ///   A value that cannot be encoded as JSON is rejected before any store is called.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    let entry = try MetricEntry(metric: metric, encoding: value)
    try await eachStore("recorded") { store in
      if let sink = store.sink {
        try await sink.commit([entry])
      } else {
        try await CallTime.$recorded.withValue(entry.timestamp) {
          try await store.record(metric, value: value)
        }
      }
    }
  }

  /// The entries of the first store; empty without stores.
  ///
  /// - Throws: That store's error.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    try await stores.first?.retrieveAll(from: startDate, until: endDate) ?? []
  }

  /// Syncs every store.
  ///
  /// - Throws: ``MetricError`` with ``MetricError/Code/storesFailed`` if a store failed.
  public func sync() async throws {
    try await eachStore("synced") { try await $0.sync() }
  }

  /// Clears every store.
  ///
  /// - Throws: ``MetricError`` with ``MetricError/Code/storesFailed`` if a store failed.
  public func clear() async throws {
    try await eachStore("cleared") { try await $0.clear() }
  }

  private func eachStore(_ done: String, _ body: (AnyMetricStore) async throws -> Void) async throws {
    var errors: [any Error] = []
    for store in stores {
      do {
        try await body(store)
      } catch {
        errors.append(error)
      }
    }
    guard let first = errors.first else { return }
    throw MetricError(
      .storesFailed, "\(errors.count) of \(stores.count) stores could not be \(done)", cause: first)
  }
}
