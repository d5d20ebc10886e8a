/// What the values of a metric are counted in: a label for people.
///
/// A unit never changes a value and is not written to the file; readers take it from the name's suffix.
///
/// ```swift
/// Metric<Double>(name: "startup_time_ms").unit == .milliseconds
/// Metric<Int>(name: "size", unit: .bytes).unit?.symbol == "B"
/// ```
public struct MetricUnit: Hashable, Sendable {
  /// How the unit is written behind a number, for instance `"ms"`.
  public let symbol: String

  /// A unit of your own.
  ///
  /// - Parameter symbol: How it is written behind a number.
  public init(_ symbol: String) {
    self.symbol = symbol
  }

  /// The unit that a name's suffix tells, or `nil`.
  ///
  /// | suffix | unit |
  /// |---|---|
  /// | `_ms` | ``milliseconds`` |
  /// | `_s` | ``seconds`` |
  /// | `_bytes` | ``bytes`` |
  /// | `_percent` | ``percent`` |
  /// | `_count` | ``count`` |
  ///
  /// - Parameter name: The name of a metric.
  public init?(suffixOf name: String) {
    guard let found = Self.suffixes.first(where: { name.hasSuffix($0.suffix) }) else { return nil }
    self = found.unit
  }

  /// Thousandths of a second.
  public static let milliseconds = MetricUnit("ms")
  /// Seconds.
  public static let seconds = MetricUnit("s")
  /// Bytes.
  public static let bytes = MetricUnit("B")
  /// Hundredths of a whole.
  public static let percent = MetricUnit("%")
  /// A number of things.
  public static let count = MetricUnit("")

  private static let suffixes: [(suffix: String, unit: MetricUnit)] = [
    ("_ms", .milliseconds), ("_s", .seconds), ("_bytes", .bytes), ("_percent", .percent), ("_count", .count),
  ]
}

extension MetricUnit: CustomStringConvertible {
  /// The symbol.
  public var description: String { symbol }
}
