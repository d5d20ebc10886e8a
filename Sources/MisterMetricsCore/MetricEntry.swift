public import Essentials

/// One record: a time, a metric, and the value as JSON.
///
/// A metrics file holds one entry per line. Most programs never create entries themselves: stores do, when something is
/// recorded. Create one by hand for historical data with its own time stamps.
///
/// ```swift
/// let metric = Metric<Double>(name: "startup_time_ms", in: Bucket("app"))
/// let entry = try MetricEntry(timestamp: yesterday, metric: metric, encoding: 428.5)
/// try await store.append([entry])
/// ```
public struct MetricEntry: Codable, Hashable, Sendable {
  /// The time of recording.
  public let timestamp: Date

  /// The recorded metric.
  public let metric: AnyMetric

  /// The JSON encoding of the value, for instance the five bytes `428.5`.
  ///
  /// Empty if the entry was created from a value that cannot be encoded as JSON; no store accepts such an entry.
  public let value: Data

  /// Creates an entry; a value that cannot be encoded as JSON (NaN, infinity) leaves ``value`` empty.
  ///
  /// Prefer ``init(timestamp:metric:encoding:)`` to detect such a value here rather than in the store.
  ///
  /// - Parameters:
  ///   - timestamp: The time of the value. Defaults to now or, inside a store that is being handed a fire-and-forget
  ///     `metric.record(…)`, to the time of that call.
  ///   - metric: The metric.
  ///   - value: The value.
  public init<T>(timestamp: Date = CallTime.now, metric: Metric<T>, value: T) where T: MetricValue {
    self.init(
      timestamp: timestamp, metric: AnyMetric(metric), value: (try? ValueEncoder.encode(value)) ?? Data())
  }

  /// Creates an entry, or throws if the value cannot be recorded.
  ///
  /// - Parameters:
  ///   - timestamp: The time of the value; defaults as in ``init(timestamp:metric:value:)``.
  ///   - metric: The metric.
  ///   - value: The value.
  /// - Throws: ``MetricError`` with ``MetricError/Code/unencodableValue``.
  public init<T>(timestamp: Date = CallTime.now, metric: Metric<T>, encoding value: T) throws(MetricError)
  where T: MetricValue {
    self.init(timestamp: timestamp, metric: AnyMetric(metric), value: try ValueEncoder.encode(value))
  }

  /// Creates an entry from its stored parts.
  package init(timestamp: Date, metric: AnyMetric, value: Data) {
    self.timestamp = timestamp
    self.metric = metric
    self.value = value
  }

  /// Decodes the value as `type`.
  ///
  /// - Parameter type: The type to decode.
  /// - Throws: ``MetricError`` with ``MetricError/Code/undecodableValue`` if the stored JSON is not a value of this
  ///   type.
  public func decode<T>(_ type: T.Type) throws(MetricError) -> T where T: MetricValue {
    try ValueDecoder.decode(type, from: value, of: metric)
  }
}
