package import Codecs
package import QueryLanguage

/// An upper or lower bound for a figure of a metric, with the consequences of an excess.
///
/// A limit depends on the samples alone: excesses have the same times whenever the file is opened.
package struct MetricLimit: Hashable, Sendable {
  /// The metric's `bucket.name`, where `*` matches any characters and `?` one character, or the text of the query.
  package var metric: String
  /// The query that selects the metrics and sets their bounds, instead of a name.
  package private(set) var query: LimitQuery?
  /// The figure of a metric's samples in the window that is compared with the bound.
  package var figure: QueryFigure
  /// The calculation used instead of the figure, with a bound of its own.
  package private(set) var calculation: LimitCalculation?
  /// True for a lower bound.
  package var isFloor: Bool
  /// The bound in the metric's unit.
  package var bound: Double
  /// Seconds that the figure must be beyond the bound before it counts as an excess.
  package var duration: Double
  /// The value at which an excess ends; `nil` for the bound itself.
  package var clear: Double?
  /// True if the terminal's bell rings once when an excess begins.
  package var ringsBell: Bool
  /// The shell command run once when an excess begins.
  package var command: String?

  package init(
    metric: String, figure: QueryFigure = .p95, isFloor: Bool = false, bound: Double, duration: Double = 0,
    clear: Double? = nil, ringsBell: Bool = false, command: String? = nil
  ) {
    (self.metric, self.figure, self.isFloor, self.bound) = (metric, figure, isFloor, bound)
    (self.duration, self.clear, self.ringsBell, self.command) = (duration, clear, ringsBell, command)
  }

  /// Creates a limit for all metrics that a query selects, each in its own unit.
  package init(_ query: LimitQuery) {
    self.init(metric: query.text, figure: query.figure, isFloor: query.isFloor, bound: 0)
    (self.query, calculation) = (query, query.calculation)
  }

  /// Creates a limit for one metric from a query without names.
  package init?(metric: String, computing query: LimitQuery) {
    guard let calculation = query.calculation, query.isOfAllNames else { return nil }
    self.init(metric: metric, figure: query.figure, isFloor: query.isFloor, bound: 0)
    self.calculation = calculation
  }

  /// True if the limit was set for exactly this metric or pattern.
  package func isOf(_ metric: String) -> Bool { query == nil && self.metric == metric }

  /// The limit for one metric that it covers; `nil` if the query has another unit.
  ///
  /// - Parameter unit: The unit of the metric's values.
  package func limit(in unit: ValueUnit) -> MetricLimit? {
    if let calculation { return calculation.fits(unit) ? self : nil }
    guard let query else { return self }
    guard let bound = query.bound(in: unit) else { return nil }
    var limit = self
    (limit.bound, limit.clear) = (bound, query.clear(in: unit))
    return limit
  }

  /// True if both limits compare the same thing: only the one with precedence holds.
  package func rivals(_ other: MetricLimit) -> Bool {
    figure == other.figure && isFloor == other.isFloor && calculation == other.calculation
  }

  /// The longest `duration` in seconds, which bounds how far back samples are needed.
  package static let longest = 3600.0

  /// True if a value is on the wrong side of the bound.
  package func isBeyond(_ value: Double) -> Bool { isFloor ? value < bound : value > bound }

  /// True if a value continues an excess that has begun.
  package func isKept(by value: Double) -> Bool {
    guard let clear else { return isBeyond(value) }
    return isFloor ? value < clear : value > clear
  }

  /// True if samples decide the excess second by second, without past figures.
  package var isPlain: Bool { duration == 0 && clear == nil && figure.isOfValues && calculation == nil }

  /// The figure or calculation compared with the bound.
  package var subject: String { calculation?.subject ?? figure.rawValue }

  /// Compares a figure with the bound.
  package func look(at value: Double) -> LimitLook {
    LimitLook(value: value, isBeyond: isBeyond(value), isKept: isKept(by: value), sides: nil)
  }

  /// Compares a calculated value with its bound.
  package func look(at sides: LimitSides) -> LimitLook {
    var limit = self
    (limit.bound, limit.clear) = (sides.bound, sides.clear)
    return LimitLook(
      value: sides.value, isBeyond: limit.isBeyond(sides.value), isKept: limit.isKept(by: sides.value),
      sides: sides)
  }

  /// The compared value as text.
  package func text(_ look: LimitLook, _ unit: ValueUnit) -> String {
    look.sides?.text(look.value) ?? text(look.value, unit)
  }

  /// The bound as text; a calculated one includes its formula.
  package func boundText(_ look: LimitLook, _ unit: ValueUnit) -> String {
    guard let sides = look.sides, let calculation else { return text(bound, unit) }
    let bound = sides.text(sides.bound)
    return calculation.isBoundConstant ? bound : "\(calculation.bound) = \(bound)"
  }

  /// The value that ends an excess, as text.
  package func clearText(_ look: LimitLook, _ unit: ValueUnit) -> String {
    look.sides.map { $0.text($0.clear ?? $0.bound) } ?? text(clear ?? bound, unit)
  }

  /// A value of the figure as text.
  ///
  /// - Parameter unit: The unit of the metric's values.
  package func text(_ value: Double, _ unit: ValueUnit) -> String {
    switch figure {
    case .now, .p50, .p95, .p99, .max, .min, .mean: unit.text(value)
    case .n: ValueUnit.plain.text(value)
    case .rate: ValueUnit.plain.text(value) + "/s"
    case .age: DurationFormat.text(value)
    }
  }

  /// A value of the figure with all its digits, as typed: `400ms`.
  package func typed(_ value: Double, _ unit: ValueUnit) -> String {
    let number = Decimals.text(value)
    switch figure {
    case .now, .p50, .p95, .p99, .max, .min, .mean: return number + unit.symbol
    case .n: return number
    case .rate: return number + "/s"
    case .age: return number + "s"
    }
  }

  /// The comparison sign, `>` or `<`.
  package var sign: String { isFloor ? "<" : ">" }
}

/// A limit's comparison at one time.
package struct LimitLook: Hashable, Sendable {
  package let value: Double
  package let isBeyond: Bool
  /// True if an excess that has begun continues.
  package let isKept: Bool
  /// The result of a calculation; `nil` for a figure.
  package let sides: LimitSides?
}
