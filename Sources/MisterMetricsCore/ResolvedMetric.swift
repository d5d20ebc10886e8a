public import Essentials

/// An entry with its decoded value: the result of typed retrieval.
///
/// ```swift
/// for sample in try await Metrics.startupTimeMs.retrieveAll() {
///   print(sample.timestamp, sample.value)
/// }
/// ```
public struct ResolvedMetric<T>: Sendable where T: MetricValue {
  /// The time of recording.
  public let timestamp: Date

  /// The value.
  public let value: T

  private let metric: AnyMetric

  /// Decodes an entry whose value is known to be a `T`.
  ///
  /// This initializer comes from the original package and cannot report a failure. If the entry comes from a file that
  /// others write, use ``init(decoding:)``, as all retrieval in this package does.
  ///
  /// - Parameter entry: An entry recorded by a `Metric<T>`.
  /// - Precondition: `entry.value` decodes as `T`.
  public init(from entry: MetricEntry) {
    do {
      try self.init(decoding: entry)
    } catch {
      // The original signature cannot fail in any other way; retrieval never gets here (it uses `init(decoding:)`).
      preconditionFailure(
        "ResolvedMetric.init(from:): \(error). Use init(decoding:) for entries of unknown origin.")
    }
  }

  /// Decodes an entry, or throws if its value is not a `T`.
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
