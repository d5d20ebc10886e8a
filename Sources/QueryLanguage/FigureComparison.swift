package import Codecs

/// A comparison of a figure with a number: `p95 > 400ms`.
struct FigureComparison: Sendable, Equatable {
  let figure: QueryFigure
  let comparison: QueryOperator
  let quantity: Quantity

  /// True if it holds for a metric; false if the metric lacks the figure or has another unit.
  func matches(_ subject: some QuerySubject) -> Bool {
    guard let limit = limit(in: subject.unit), let value = subject.figure(figure) else { return false }
    return comparison.holds(value, limit)
  }

  /// The number in the unit of the figure; `nil` if the units do not match.
  func limit(in unit: ValueUnit) -> Double? { figure.value(of: quantity, in: unit) }
}

extension QueryFigure {
  /// A quantity in the unit that the figure has for a metric; `nil` if the units do not match.
  package func value(of quantity: Quantity, in unit: ValueUnit) -> Double? {
    switch self {
    case .now, .p50, .p95, .p99, .max, .min, .mean: quantity.value(in: unit)
    case .n: quantity.value(in: .plain)
    case .rate: quantity.perSecond
    case .age: quantity.value(in: .seconds)
    }
  }
}
