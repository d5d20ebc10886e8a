public import Essentials

/// An entry whose value has been decoded: what typed retrieval returns.
///
/// ```swift
/// for sample in try await Metrics.startupTimeMs.retrieveAll() {
///   print(sample.timestamp, sample.value)
/// }
/// ```
public struct ResolvedMetric<T>: Sendable where T: MetricValue {
  /// When the value was recorded.
  public let timestamp: Date

  /// The value.
  public let value: T

  private let metric: AnyMetric

  /// Decodes an entry whose value is known to be a `T`.
  ///
  /// This initializer is the original package's and cannot report a failure. Where the entry comes from a file that
  /// others write, use ``init(decoding:)``, as all retrieval in this package does.
  ///
  /// - Parameter entry: An entry recorded by a `Metric<T>`.
  /// - Precondition: `entry.value` decodes as `T`.
  public init(from entry: MetricEntry) {
    do {
      try self.init(decoding: entry)
    } catch {
      // The original signature has no way out but a value; retrieval never comes here (it uses `init(decoding:)`).
      preconditionFailure(
        "ResolvedMetric.init(from:): \(error). Use init(decoding:) for entries of unknown origin.")
    }
  }

  /// Decodes an entry, or says why its value is no `T`.
  ///
  /// - Parameter entry: Any entry.
  /// - Throws: ``MetricError`` with ``MetricError/Code/undecodableValue``.
  public init(decoding entry: MetricEntry) throws(MetricError) {
    timestamp = entry.timestamp
    value = try entry.decode(T.self)
    metric = entry.metric
  }

  /// The metric's name.
  public var name: String { metric.name }

  /// The metric's bucket, or `nil`.
  public var bucket: Bucket? { metric.bucket }
}

extension ResolvedMetric: Equatable where T: Equatable {}
extension ResolvedMetric: Hashable where T: Hashable {}
