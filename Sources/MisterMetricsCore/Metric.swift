/// A typed metric: a name, a bucket or none, and the type of its values.
///
/// Define metrics once, in one place, and record through them everywhere. Two metrics are the same only when name,
/// bucket and value type all agree: a `Metric<Double>` never sees the entries of a `Metric<Int>` of the same name.
///
/// ```swift
/// let buildNumber = Metric<Int>(name: "build_number")
/// buildNumber.record(42)
/// ```
///
/// For metrics that belong together, start from a ``Bucket``.
public struct Metric<T>: Sendable where T: MetricValue {
  /// The name, unique within the bucket for this value type.
  public let name: String

  /// The namespace, or `nil` for a metric that stands alone.
  public let bucket: Bucket?

  /// The unit of the values, as a label for people; no part of the metric's identity, and not in the file.
  public let unit: MetricUnit?

  /// Defines a metric.
  ///
  /// - Parameters:
  ///   - name: Its name, for instance `"startup_time_ms"`.
  ///   - bucket: Its namespace.
  public init(name: String, in bucket: Bucket? = nil) {
    self.init(name: name, in: bucket, unit: nil)
  }

  /// Defines a metric whose values have a unit.
  ///
  /// ```swift
  /// let startupTime = Metric<Double>(name: "startup_time", in: Bucket("app"), unit: .milliseconds)
  /// ```
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - bucket: Its namespace.
  ///   - unit: What one of its values is counted in; `nil` takes it from the name's suffix (`_ms`, `_bytes`, …).
  public init(name: String, in bucket: Bucket? = nil, unit: MetricUnit?) {
    self.name = name
    self.bucket = bucket
    self.unit = unit ?? MetricUnit(suffixOf: name)
  }

  /// This metric without its value type in the type system, as it stands in a ``MetricEntry``.
  public var erased: AnyMetric {
    AnyMetric(self)
  }
}

extension Metric: Equatable {
  /// True if name and bucket agree (the value type agrees already; the unit is only a label).
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
