package import Codecs
package import QueryLanguage

/// The most, or the least, that a figure of a metric may be, and the consequences when it is beyond that.
///
/// A limit is told by the samples alone: whoever opens a file later finds the same excesses at the same times.
package struct MetricLimit: Hashable, Sendable {
  /// The metric's `bucket.name`, where `*` stands for any letters and `?` for one, or the text of the query.
  package var metric: String
  /// The query that chooses the metrics and states their bounds, where that is not the name.
  package private(set) var query: LimitQuery?
  /// The figure of a metric's samples in the window that is held against the limit.
  package var figure: QueryFigure
  /// The calculation used instead, with a bound of its own.
  package private(set) var calculation: LimitCalculation?
  /// True if the figure is to stay above the bound instead of below it.
  package var isFloor: Bool
  /// In the metric's unit.
  package var bound: Double
  /// Seconds that the figure has to be beyond the bound before it counts.
  package var duration: Double
  /// Where the figure has to come back to before an excess is over; the bound itself where it is `nil`.
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

  /// A limit of all metrics that a query chooses, each in its own unit.
  package init(_ query: LimitQuery) {
    self.init(metric: query.text, figure: query.figure, isFloor: query.isFloor, bound: 0)
    (self.query, calculation) = (query, query.calculation)
  }

  /// A limit of one metric that a query without names says.
  package init?(metric: String, computing query: LimitQuery) {
    guard let calculation = query.calculation, query.isOfAllNames else { return nil }
    self.init(metric: metric, figure: query.figure, isFloor: query.isFloor, bound: 0)
    self.calculation = calculation
  }

  /// True if it is the limit of this very metric, or of these very stars.
  package func isOf(_ metric: String) -> Bool { query == nil && self.metric == metric }

  /// The limit as it is of one metric that it covers; `nil` where the query has another unit.
  ///
  /// - Parameter unit: Of the metric's values.
  package func limit(in unit: ValueUnit) -> MetricLimit? {
    if let calculation { return calculation.fits(unit) ? self : nil }
    guard let query else { return self }
    guard let bound = query.bound(in: unit) else { return nil }
    var limit = self
    (limit.bound, limit.clear) = (bound, query.clear(in: unit))
    return limit
  }

  /// True if another limit is about the same: of two such the weightier holds.
  package func rivals(_ other: MetricLimit) -> Bool {
    figure == other.figure && isFloor == other.isFloor && calculation == other.calculation
  }

  /// Seconds of `duration` at most: what is looked back on.
  package static let longest = 3600.0

  /// True if a value is on the wrong side of the bound.
  package func isBeyond(_ value: Double) -> Bool { isFloor ? value < bound : value > bound }

  /// True if a value keeps an excess going that has begun.
  package func isKept(by value: Double) -> Bool {
    guard let clear else { return isBeyond(value) }
    return isFloor ? value < clear : value > clear
  }

  /// True if the excess is told by its samples second by second, without looking back on the figure.
  package var isPlain: Bool { duration == 0 && clear == nil && figure.isOfValues && calculation == nil }

  /// The figure or calculation that is held against the bound.
  package var subject: String { calculation?.subject ?? figure.rawValue }

  /// A figure beside the bound.
  package func look(at value: Double) -> LimitLook {
    LimitLook(value: value, isBeyond: isBeyond(value), isKept: isKept(by: value), sides: nil)
  }

  /// The computed value beside its bound.
  package func look(at sides: LimitSides) -> LimitLook {
    var limit = self
    (limit.bound, limit.clear) = (sides.bound, sides.clear)
    return LimitLook(
      value: sides.value, isBeyond: limit.isBeyond(sides.value), isKept: limit.isKept(by: sides.value),
      sides: sides)
  }

  /// The compared values, in words.
  package func text(_ look: LimitLook, _ unit: ValueUnit) -> String {
    look.sides?.text(look.value) ?? text(look.value, unit)
  }

  /// The bound in words; one that moves says what it is.
  package func boundText(_ look: LimitLook, _ unit: ValueUnit) -> String {
    guard let sides = look.sides, let calculation else { return text(bound, unit) }
    let bound = sides.text(sides.bound)
    return calculation.isBoundConstant ? bound : "\(calculation.bound) = \(bound)"
  }

  /// Where an excess is over, in words.
  package func clearText(_ look: LimitLook, _ unit: ValueUnit) -> String {
    look.sides.map { $0.text($0.clear ?? $0.bound) } ?? text(clear ?? bound, unit)
  }

  /// A value of the figure in words.
  ///
  /// - Parameter unit: Of the metric's values.
  package func text(_ value: Double, _ unit: ValueUnit) -> String {
    switch figure {
    case .now, .p50, .p95, .p99, .max, .min, .mean: unit.text(value)
    case .n: ValueUnit.plain.text(value)
    case .rate: ValueUnit.plain.text(value) + "/s"
    case .age: DurationFormat.text(value)
    }
  }

  /// A value of the figure with all its digits, as it is typed: `400ms`.
  package func typed(_ value: Double, _ unit: ValueUnit) -> String {
    let number = Decimals.text(value)
    switch figure {
    case .now, .p50, .p95, .p99, .max, .min, .mean: return number + unit.symbol
    case .n: return number
    case .rate: return number + "/s"
    case .age: return number + "s"
    }
  }

  /// `>` or `<`.
  package var sign: String { isFloor ? "<" : ">" }
}

/// The values a limit compares at a moment.
package struct LimitLook: Hashable, Sendable {
  package let value: Double
  package let isBeyond: Bool
  /// True if an excess that has begun goes on.
  package let isKept: Bool
  /// The result of a calculation; `nil` for a figure.
  package let sides: LimitSides?
}
