public import Essentials

/// The protocol between metrics and their storage.
///
/// Three methods make a custom store:
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
/// A store that keeps entries should create them with ``MetricEntry/init(timestamp:metric:encoding:)`` and its default
/// time stamp: for a fire-and-forget `metric.record(…)`, that is the time of the call, not of the delivery.
public protocol MetricStore: Sendable {
  /// Records a value; each store documents how durable it is on return.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - value: The value.
  /// - Throws: ``MetricError``; ``MetricError/Code/unencodableValue`` for a value that JSON cannot express.
  func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue

  /// All entries of a time range, in the order of recording; both ends belong to the range.
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  /// - Throws: ``MetricError`` if the storage cannot be read.
  func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry]

  /// Synchronizes the store with its storage; each store documents what that means.
  ///
  /// - Throws: ``MetricError`` if that fails.
  func sync() async throws

  /// Removes everything that is stored.
  ///
  /// - Throws: ``MetricError`` if that fails, with ``MetricError/Code/unsupported`` if the store does not offer it.
  func clear() async throws
}

extension MetricStore {
  /// Throws ``MetricError/Code/unsupported``, for stores that cannot be cleared.
  public func clear() async throws {
    throw MetricError(.unsupported, "\(Self.self) cannot be cleared")
  }
}
