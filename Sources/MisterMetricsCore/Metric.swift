/// A typed metric: a name, an optional bucket, and the type of its values.
///
/// Define metrics once, in one place, and record through them everywhere. Two metrics are the same only if name, bucket
/// and value type all agree: a `Metric<Double>` never sees the entries of a `Metric<Int>` of the same name.
///
/// ```swift
/// let buildNumber = Metric<Int>(name: "build_number")
/// buildNumber.record(42)
/// ```
///
/// For related metrics, start from a ``Bucket``.
public struct Metric<T>: Sendable where T: MetricValue {
  /// The name, unique within the bucket for this value type.
  public let name: String

  /// The namespace, or `nil` for a metric without one.
  public let bucket: Bucket?

  /// The unit of the values, as a label for people; not part of the metric's identity, and not in the file.
  public let unit: MetricUnit?

  /// Defines a metric.
  ///
  /// - Parameters:
  ///   - name: Its name, for instance `"startup_time_ms"`.
  ///   - bucket: Its namespace.
  public init(name: String, in bucket: Bucket? = nil) {
    self.init(name: name, in: bucket, unit: nil)
  }

  /// Defines a metric with a unit.
  ///
  /// ```swift
  /// let startupTime = Metric<Double>(name: "startup_time", in: Bucket("app"), unit: .milliseconds)
  /// ```
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - bucket: Its namespace.
  ///   - unit: The unit of its values; `nil` derives it from the name's suffix (`_ms`, `_bytes`, …).
  public init(name: String, in bucket: Bucket? = nil, unit: MetricUnit?) {
    self.name = name
    self.bucket = bucket
    self.unit = unit ?? MetricUnit(suffixOf: name)
  }

  /// The metric without its value type in the type system, as in a ``MetricEntry``.
  public var erased: AnyMetric {
    AnyMetric(self)
  }
}

extension Metric: Equatable {
  /// True if name and bucket agree (the value type always does; the unit is only a label).
  public static func == (left: Metric, right: Metric) -> Bool {
    left.name == right.name && left.bucket == right.bucket
  }
}

extension Metric: Hashable {
  /// Feeds name and bucket into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(bucket)
  }
}
