public import Essentials

/// Any store behind one type, as ``MetricManager`` and `metric.record(_:in:)` take it.
///
/// ```swift
/// let store = MetricMemoryStore()
/// Metrics.startupTimeMs.record(428.5, in: store.erased)
/// ```
public struct AnyMetricStore: MetricStore {
  private let box: any MetricStore

  /// The store's own way to take finished entries, looked up once because the look-up costs more than a record.
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

  /// Records through the store inside.
  ///
  /// - Throws: What the store inside throws.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await box.record(metric, value: value)
  }

  /// Retrieves from the store inside; by default everything.
  ///
  /// - Throws: What the store inside throws.
  public func retrieveAll(
    from startDate: Date = .distantPast, until endDate: Date = .distantFuture
  ) async throws -> [MetricEntry] {
    try await box.retrieveAll(from: startDate, until: endDate)
  }

  /// Syncs the store inside.
  ///
  /// - Throws: What the store inside throws.
  public func sync() async throws {
    try await box.sync()
  }

  /// Clears the store inside.
  ///
  /// - Throws: What the store inside throws.
  public func clear() async throws {
    try await box.clear()
  }

  /// The source of new entries: the store itself, or the first store of a fan-out.
  package var updateHub: UpdateHub? {
    sink?.updates ?? fanOut.first?.updateHub
  }

  /// The store inside, if it is an `S`.
  ///
  /// ```swift
  /// let file: MetricFileStore? = MetricManager.global.unbox()
  /// ```
  public func unbox<S: MetricStore>() -> S? {
    box as? S
  }
}

/// A store that hands everything on to others.
package protocol FanOutStore: MetricStore {
  /// Those that it serves; fire-and-forget records are queued for each of them.
  var stores: [AnyMetricStore] { get }
}
