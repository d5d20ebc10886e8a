package import Codecs

/// A query that watches: a figure or calculation over or under another, joined with names by `and`: `api.* and p95 >
/// 400ms`, `p95 > 2 * p50`.
package struct LimitQuery: Hashable, Sendable {
  /// As it was typed.
  package let text: String
  /// The figure compared with a number; for a calculation `age` where that has a part in it, `now` elsewhere.
  package let figure: QueryFigure
  /// True if the figure is to stay above the number instead of below it.
  package let isFloor: Bool
  /// The calculation, where it is more than a figure and a number.
  package private(set) var calculation: LimitCalculation?
  private let query: Query
  private let bound: Quantity?
  private var clear: Quantity?

  /// - Throws: `QueryError` for what is no query, or asks for more or less than one comparison.
  package init(_ text: String) throws(QueryError) {
    query = try Query.parse(text, knowing: .figures)
    self.text = query.text
    switch query.onlyComparison {
    case .figure(let comparison) where comparison.comparison.isOfLimit:
      (figure, isFloor) = (comparison.figure, comparison.comparison == .less)
      bound = comparison.quantity
    case .calculation(let comparison) where comparison.comparison.isOfLimit:
      (figure, isFloor) = (comparison.asks(for: .age) ? .age : .now, comparison.comparison == .less)
      (bound, calculation) = (nil, LimitCalculation(comparison))
    default: throw QueryError(code: .noLimit, range: 0..<text.count)
    }
  }

  package static func == (left: LimitQuery, right: LimitQuery) -> Bool {
    left.text == right.text && left.clear == right.clear && left.calculation == right.calculation
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(clear)
    hasher.combine(calculation)
  }

  /// True if every metric is watched.
  package var isOfAllNames: Bool { query.choosesAllNames }

  /// True if a metric of this name is watched.
  package func matches(name: String) -> Bool {
    query.matches(name: name) && calculation?.mayBeAbout(name) != false
  }

  /// The number in the unit that the figure has of a metric; `nil` where the units do not fit.
  package func bound(in unit: ValueUnit) -> Double? { bound.flatMap { figure.value(of: $0, in: unit) } }

  /// Where the figure has to come back to, in that unit; `nil` where that is the number itself.
  package func clear(in unit: ValueUnit) -> Double? { clear.flatMap { figure.value(of: $0, in: unit) } }

  /// Sets where the figure has to come back to before an excess is over.
  ///
  /// - Returns: Whether the text is a number of the same unit, on the good side of the other.
  package mutating func setClear(_ text: String) -> Bool {
    guard let clear = try? Quantity(text) else { return false }
    if calculation != nil { return calculation?.setClear(clear) ?? false }
    let pairs = ValueUnit.all.compactMap { unit in
      bound(in: unit).map { (bound: $0, clear: figure.value(of: clear, in: unit)) }
    }
    let isSound = pairs.allSatisfy { pair in
      pair.clear.map { isFloor ? $0 >= pair.bound : $0 <= pair.bound } ?? false
    }
    if isSound { self.clear = clear }
    return isSound
  }
}

/// The calculation of a limit: `p95 > 2 * p50`.
package struct LimitCalculation: Hashable, Sendable {
  private let comparison: CalculationComparison
  private var clear: Quantity?

  init(_ comparison: CalculationComparison) { self.comparison = comparison }

  /// Both sides of the comparison, as they could be typed.
  package var subject: String { comparison.left.text }
  package var bound: String { comparison.right.text }
  package var clearText: String? { clear?.text }
  package var text: String { comparison.text }
  /// True if the bound is a number that stays.
  package var isBoundConstant: Bool { comparison.right.isConstant }

  package var references: [FigureReference] { comparison.references }

  /// The values of both sides for a metric; `nil` where there is no value.
  package func sides(for metric: some QuerySubject) -> LimitSides? {
    comparison.sides(for: metric).map { sides in
      let clear = clear.flatMap { Amount.aligned(Amount(sides.left, sides.unit), Amount($0))?.right }
      return LimitSides(value: sides.left, bound: sides.right, clear: clear, unit: sides.unit)
    }
  }

  package func fits(_ unit: ValueUnit) -> Bool { comparison.fits(unit) }

  /// True if it is about whichever metric is asked, or about one that may have this name.
  func mayBeAbout(_ name: String) -> Bool { comparison.subject?.mayBe(name) ?? true }

  fileprivate mutating func setClear(_ clear: Quantity) -> Bool {
    // Which side is good is known of a bound that stays.
    guard let bound = comparison.right.constant,
      let pair = Amount.aligned(bound, Amount(clear)), bound.unit == CalculationUnit(clear.dimension),
      comparison.comparison == .less ? pair.right >= pair.left : pair.right <= pair.left
    else { return false }
    self.clear = clear
    return true
  }
}

/// Both sides of a limit's comparison, in the unit of the one that is watched.
package struct LimitSides: Hashable, Sendable {
  package let value: Double
  package let bound: Double
  package let clear: Double?
  fileprivate let unit: CalculationUnit

  /// A value of that unit in words.
  package func text(_ value: Double) -> String {
    let shown = unit.shown
    return shown.unit.text(Amount(value, unit).inBase) + shown.suffix
  }
}

extension QueryOperator {
  fileprivate var isOfLimit: Bool { self == .greater || self == .less }
}

extension Query {
  /// The comparison that it makes, where it asks for nothing else but names.
  fileprivate var onlyComparison: QueryExpression? {
    needsFields || metricConditions.count != 1 ? nil : metricConditions.first
  }
}
