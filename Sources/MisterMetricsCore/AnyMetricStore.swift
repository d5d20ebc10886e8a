public import Essentials

/// A type-erased store, as ``MetricManager`` and `metric.record(_:in:)` accept it.
///
/// ```swift
/// let store = MetricMemoryStore()
/// Metrics.startupTimeMs.record(428.5, in: store.erased)
/// ```
public struct AnyMetricStore: MetricStore {
  private let box: any MetricStore

  /// The store's own method for complete entries, looked up once because the lookup costs more than a record.
  package let sink: (any EntrySink)?

  /// The stores behind one that fans out; fire-and-forget records are queued for each of them.
  package let fanOut: [AnyMetricStore]

  /// Erases `store`; erasing an erased store adds no layer.
  ///
  /// - Parameter store: The store.
  public init(_ store: some MetricStore) {
    if let erased = store as? AnyMetricStore {
      self = erased
    } else {
      box = store
      sink = store as? any EntrySink
      fanOut = (store as? any FanOutStore)?.stores ?? []
    }
  }

  /// Records through the underlying store.
  ///
  /// - Throws: The underlying store's error.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await box.record(metric, value: value)
  }

  /// Retrieves from the underlying store; by default everything.
  ///
  /// - Throws: The underlying store's error.
  public func retrieveAll(
    from startDate: Date = .distantPast, until endDate: Date = .distantFuture
  ) async throws -> [MetricEntry] {
    try await box.retrieveAll(from: startDate, until: endDate)
  }

  /// Syncs the underlying store.
  ///
  /// - Throws: The underlying store's error.
  public func sync() async throws {
    try await box.sync()
  }

  /// Clears the underlying store.
  ///
  /// - Throws: The underlying store's error.
  public func clear() async throws {
    try await box.clear()
  }

  /// The source of new entries: the store itself, or the first store of a fan-out.
  package var updateHub: UpdateHub? {
    sink?.updates ?? fanOut.first?.updateHub
  }

  /// The underlying store, if it is an `S`.
  ///
  /// ```swift
  /// let file: MetricFileStore? = MetricManager.global.unbox()
  /// ```
  public func unbox<S: MetricStore>() -> S? {
    box as? S
  }
}

/// A store that passes everything on to others.
package protocol FanOutStore: MetricStore {
  /// The underlying stores; fire-and-forget records are queued for each of them.
  var stores: [AnyMetricStore] { get }
}
