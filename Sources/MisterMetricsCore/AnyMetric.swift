/// A metric's identity without its value type in the type system: name, bucket and the name of the type.
///
/// ```swift
/// let metric = Metric<Double>(name: "startup_time_ms", in: Bucket("app"))
/// metric.erased.valueTypeString  // "Double"
/// ```
public struct AnyMetric: Codable, Hashable, Sendable {
  /// The metric's name.
  public let name: String

  /// The metric's bucket, or `nil`.
  public let bucket: Bucket?

  /// The value type as `String(describing:)` names it: `"Double"`, `"Optional<Double>"`, `"Array<Int>"`.
  public let valueTypeString: String

  /// Erases `metric`.
  ///
  /// - Parameter metric: The typed metric.
  public init<T>(_ metric: Metric<T>) where T: MetricValue {
    self.init(name: metric.name, bucket: metric.bucket, valueTypeString: ValueEncoder.typeName(of: T.self))
  }

  /// Creates an identity from its parts, for readers of files.
  ///
  /// - Parameters:
  ///   - name: The metric's name.
  ///   - bucket: Its bucket, or `nil`.
  ///   - valueTypeString: The value type's name.
  package init(name: String, bucket: Bucket?, valueTypeString: String) {
    self.name = name
    self.bucket = bucket
    self.valueTypeString = valueTypeString
  }
}
