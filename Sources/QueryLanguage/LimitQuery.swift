package import Codecs

/// A query used as a limit: one figure or calculation above or below another, combined with names by `and`: `api.* and
/// p95 > 400ms`, `p95 > 2 * p50`.
package struct LimitQuery: Hashable, Sendable {
  /// The query as typed.
  package let text: String
  /// The figure compared with a number; for a calculation, `age` if that is a part of it, otherwise `now`.
  package let figure: QueryFigure
  /// True if the figure must stay above the number instead of below it.
  package let isFloor: Bool
  /// The calculation, if it is more than a figure and a number.
  package private(set) var calculation: LimitCalculation?
  private let query: Query
  private let bound: Quantity?
  private var clear: Quantity?

  /// - Throws: `QueryError` if the text is not a query, or does not have exactly one comparison.
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

  /// The number in the unit that the figure has for a metric; `nil` if the units do not match.
  package func bound(in unit: ValueUnit) -> Double? { bound.flatMap { figure.value(of: $0, in: unit) } }

  /// The value at which the limit clears, in that unit; `nil` if it is the number itself.
  package func clear(in unit: ValueUnit) -> Double? { clear.flatMap { figure.value(of: $0, in: unit) } }

  /// Sets the value that the figure must return to before a violation ends.
  ///
  /// - Returns: True if the text is a number in the same unit, on the good side of the bound.
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

  /// The watched side of the comparison, as a person would type it.
  package var subject: String { comparison.left.text }
  package var bound: String { comparison.right.text }
  package var clearText: String? { clear?.text }
  package var text: String { comparison.text }
  /// True if the bound is a constant.
  package var isBoundConstant: Bool { comparison.right.isConstant }

  package var references: [FigureReference] { comparison.references }

  /// The values of both sides for a metric; `nil` if there is no value.
  package func sides(for metric: some QuerySubject) -> LimitSides? {
    comparison.sides(for: metric).map { sides in
      let clear = clear.flatMap { Amount.aligned(Amount(sides.left, sides.unit), Amount($0))?.right }
      return LimitSides(value: sides.left, bound: sides.right, clear: clear, unit: sides.unit)
    }
  }

  package func fits(_ unit: ValueUnit) -> Bool { comparison.fits(unit) }

  /// True if it is about the metric being tested, or about one that may have this name.
  func mayBeAbout(_ name: String) -> Bool { comparison.subject?.mayBe(name) ?? true }

  fileprivate mutating func setClear(_ clear: Quantity) -> Bool {
    // The good side is known only for a constant bound.
    guard let bound = comparison.right.constant,
      let pair = Amount.aligned(bound, Amount(clear)), bound.unit == CalculationUnit(clear.dimension),
      comparison.comparison == .less ? pair.right >= pair.left : pair.right <= pair.left
    else { return false }
    self.clear = clear
    return true
  }
}

/// Both sides of a limit's comparison, in the unit of the watched one.
package struct LimitSides: Hashable, Sendable {
  package let value: Double
  package let bound: Double
  package let clear: Double?
  fileprivate let unit: CalculationUnit

  /// A value in that unit, as text.
  package func text(_ value: Double) -> String {
    let shown = unit.shown
    return shown.unit.text(Amount(value, unit).inBase) + shown.suffix
  }
}

extension QueryOperator {
  fileprivate var isOfLimit: Bool { self == .greater || self == .less }
}

extension Query {
  /// Its comparison, if everything else is names.
  fileprivate var onlyComparison: QueryExpression? {
    needsFields || metricConditions.count != 1 ? nil : metricConditions.first
  }
}
