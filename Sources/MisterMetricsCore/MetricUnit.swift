import Codecs

/// The unit of a metric's values: a label for people.
///
/// A unit never changes a value and is not written to the file; readers take it from the name's suffix.
///
/// ```swift
/// Metric<Double>(name: "startup_time_ms").unit == .milliseconds
/// Metric<Int>(name: "size", unit: .bytes).unit?.symbol == "B"
/// ```
public struct MetricUnit: Hashable, Sendable {
  /// The unit as written after a number, for instance `"ms"`.
  public let symbol: String

  /// A custom unit.
  ///
  /// - Parameter symbol: The unit as written after a number.
  public init(_ symbol: String) {
    self.symbol = symbol
  }

  /// The unit from a name's suffix, or `nil`.
  ///
  /// | suffix | unit |
  /// |---|---|
  /// | `_ns` `_us` `_ms` `_s` `_seconds` `_min` | of time: ``milliseconds``, ``seconds`` and so on |
  /// | `_bytes` `_kb` `_mb` `_gb` `_kib` `_mib` `_gib` | ``bytes``, and multiples of 1,000 and 1,024 |
  /// | `_percent` | ``percent`` |
  /// | `_ratio` | a fraction of one |
  /// | `_per_s` `_hz` | a rate per second |
  /// | `_count` | ``count`` |
  ///
  /// The name `ms` by itself has the same unit.
  ///
  /// - Parameter name: The name of a metric.
  public init?(suffixOf name: String) {
    // Points in time have no unit.
    guard let unit = ValueUnit(endOf: name), unit != .unixTime, unit != .moment else { return nil }
    self.init(unit.symbol)
  }

  /// Milliseconds.
  public static let milliseconds = MetricUnit("ms")
  /// Seconds.
  public static let seconds = MetricUnit("s")
  /// Bytes.
  public static let bytes = MetricUnit("B")
  /// Percent.
  public static let percent = MetricUnit("%")
  /// A count of things.
  public static let count = MetricUnit("")
}

extension MetricUnit: CustomStringConvertible {
  /// The symbol.
  public var description: String { symbol }
}
