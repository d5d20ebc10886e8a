/// The range of most of a set of values, as five percentiles.
package struct ValueSpread: Sendable, Equatable {
  package var p5: Double
  package var p25: Double
  package var p50: Double
  package var p75: Double
  package var p95: Double

  /// The percentiles of the properties, in order.
  package static let percentiles: [Double] = [5, 25, 50, 75, 95]

  /// A spread with all percentiles at one value.
  package init(_ value: Double) {
    (p5, p25, p50, p75, p95) = (value, value, value, value, value)
  }

  /// - Parameter quantiles: the quantiles at ``percentiles``.
  /// - Returns: `nil` if their number differs.
  package init?(_ quantiles: [Quantile]) {
    guard quantiles.count == Self.percentiles.count else { return nil }
    let values = quantiles.map(\.value)
    (p5, p25, p50, p75, p95) = (values[0], values[1], values[2], values[3], values[4])
  }
}
