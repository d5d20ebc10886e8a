public import Essentials

/// Where metrics go: the protocol between metrics and storage.
///
/// Three methods make a store of your own:
///
/// ```swift
/// actor PrintingStore: MetricStore {
///   func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
///     print(metric.name, value)
///   }
///   func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] { [] }
///   func sync() async throws {}
/// }
/// ```
///
/// A store that keeps entries should make them with ``MetricEntry/init(timestamp:metric:encoding:)`` and its default
/// time stamp: for a fire-and-forget `metric.record(…)` that is the moment of the call, not of the delivery.
public protocol MetricStore: Sendable {
  /// Records a value; how safe it is when this returns, each store says.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - value: The value.
  /// - Throws: ``MetricError``; ``MetricError/Code/unencodableValue`` for a value that JSON cannot express.
  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue

  /// All entries of a time range, in the order in which they were recorded; both ends belong to the range.
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  /// - Throws: ``MetricError`` when the storage cannot be read.
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry]

  /// Brings the store and what lies under it together; what that means, each store says.
  ///
  /// - Throws: ``MetricError`` when that fails.
  func sync() async throws

  /// Removes everything that is stored.
  ///
  /// - Throws: ``MetricError`` when that fails, with ``MetricError/Code/unsupported`` for a store without it.
  func clear() async throws
}

extension MetricStore {
  /// Throws ``MetricError/Code/unsupported``: for stores that cannot be emptied.
  public func clear() async throws {
    throw MetricError(.unsupported, "\(Self.self) cannot be cleared")
  }
}
