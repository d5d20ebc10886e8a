public import Essentials

/// One record: when, which metric, and the value as JSON.
///
/// A metrics file holds one entry per line. Most programs never make entries themselves: stores do, when something
/// is recorded. Making one by hand is for history with its own time stamps.
///
/// ```swift
/// let metric = Metric<Double>(name: "startup_time_ms", in: Bucket("app"))
/// let entry = try MetricEntry(timestamp: yesterday, metric: metric, encoding: 428.5)
/// try await store.append([entry])
/// ```
public struct MetricEntry: Codable, Hashable, Sendable {
  /// When the value was recorded.
  public let timestamp: Date

  /// The recorded metric.
  public let metric: AnyMetric

  /// The JSON encoding of the value, for instance the five bytes `428.5`.
  ///
  /// Empty when the entry was made from a value that JSON cannot express; no store accepts such an entry.
  public let value: Data

  /// Makes an entry; a value that JSON cannot express (NaN, infinity) leaves ``value`` empty.
  ///
  /// Prefer ``init(timestamp:metric:encoding:)`` where such a value should be noticed here rather than by the store.
  ///
  /// - Parameters:
  ///   - timestamp: When the value was taken. By default now; inside a store that delivers a fire-and-forget
  ///     `metric.record(…)`, the moment of that call.
  ///   - metric: The metric.
  ///   - value: The value.
  public init<T>(timestamp: Date = CallTime.now, metric: Metric<T>, value: T) where T: MetricValue {
    self.init(
      timestamp: timestamp, metric: AnyMetric(metric), value: (try? ValueEncoder.encode(value)) ?? Data())
  }

  /// Makes an entry, or says why the value cannot be recorded.
  ///
  /// - Parameters:
  ///   - timestamp: When the value was taken.
  ///   - metric: The metric.
  ///   - value: The value.
  /// - Throws: ``MetricError`` with ``MetricError/Code/unencodableValue``.
  public init<T>(timestamp: Date = CallTime.now, metric: Metric<T>, encoding value: T) throws(MetricError)
  where T: MetricValue {
    self.init(timestamp: timestamp, metric: AnyMetric(metric), value: try ValueEncoder.encode(value))
  }

  /// Puts an entry together from its stored parts.
  package init(timestamp: Date, metric: AnyMetric, value: Data) {
    self.timestamp = timestamp
    self.metric = metric
    self.value = value
  }

  /// The value as `type`.
  ///
  /// - Parameter type: The type to decode.
  /// - Throws: ``MetricError`` with ``MetricError/Code/undecodableValue`` when the stored JSON is no such value.
  public func decode<T>(_ type: T.Type) throws(MetricError) -> T where T: MetricValue {
    try ValueDecoder.decode(type, from: value, of: metric)
  }
}
