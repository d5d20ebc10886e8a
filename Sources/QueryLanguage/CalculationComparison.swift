import Codecs

/// A comparison of two calculations: `p95 > 2 * p50`, `errors.count / requests.count > 0.01`.
package struct CalculationComparison: Sendable, Hashable {
  let left: Calculation
  let comparison: QueryOperator
  let right: Calculation
  /// The figures of named metrics, from left to right.
  package let references: [FigureReference]
  /// The metric that it is about; `nil` if it is about the metric being tested.
  let subject: FigureReference?

  init(_ left: Calculation, _ comparison: QueryOperator, _ right: Calculation) {
    (self.left, self.comparison, self.right) = (left, comparison, right)
    references = left.references + right.references
    subject = left.usesOwnFigures || right.usesOwnFigures ? nil : references.first
  }

  /// True if it holds for a metric; false if a figure is missing, a divisor is zero or units do not match.
  ///
  /// Without a figure of the tested metric, it is about the first metric that it names.
  func matches(_ metric: some QuerySubject) -> Bool {
    guard let sides = sides(for: metric) else { return false }
    return comparison.holds(sides.left, sides.right)
  }

  /// Both sides in the unit of the left one; `nil` if there is no value, or it is about another metric.
  func sides(for metric: some QuerySubject) -> (left: Double, right: Double, unit: CalculationUnit)? {
    if let subject, metric.figure(of: subject)?.name != metric.name { return nil }
    guard let left = left.amount(for: metric), let right = right.amount(for: metric) else { return nil }
    return Amount.aligned(left, right)
  }

  func asks(for figure: QueryFigure) -> Bool {
    var found = false
    for side in [left, right] { side.forEachLeaf { found = found || $0 == .figure(figure) } }
    return found
  }

  /// The first figure, as a person would type it; `nil` if only numbers are compared.
  var firstFigure: String? {
    var found: String?
    for side in [left, right] {
      side.forEachLeaf { leaf in
        if case .number = leaf { return }
        found = found ?? leaf.text
      }
    }
    return found
  }

  /// True if a number has a unit, which some metrics lack.
  var hasUnits: Bool {
    var found = false
    for side in [left, right] {
      side.forEachLeaf {
        if case .number(let quantity) = $0 { found = found || quantity.dimension != .plain }
      }
    }
    return found
  }

  /// True if both sides have compatible units for metrics with this unit.
  func fits(_ unit: ValueUnit) -> Bool { (try? check(in: unit)) != nil }

  var text: String { "\(left.text) \(comparison.rawValue) \(right.text)" }
}

// MARK: Units

/// Two parts of a calculation with incompatible units.
struct UnitMismatch: Error {
  let left: Calculation
  let right: Calculation
  let units: (CalculationUnit, CalculationUnit)
}

extension CalculationComparison {
  /// Rejects comparisons that match no unit of a metric.
  func check() throws(UnitMismatch) {
    // A mismatch that does not depend on the metric's unit makes the clearest message.
    try check(in: nil)
    guard !ValueUnit.all.contains(where: fits) else { return }
    throw UnitMismatch(left: left, right: right, units: (.unknown, .unknown))
  }

  private func check(in unit: ValueUnit?) throws(UnitMismatch) {
    let left = try left.amount(needsValue: false) { $0.example(in: unit) }
    let right = try right.amount(needsValue: false) { $0.example(in: unit) }
    guard let left, let right, Amount.aligned(left, right) == nil else { return }
    throw UnitMismatch(left: self.left, right: self.right, units: (left.unit, right.unit))
  }
}

extension Calculation {
  /// The value 1 in its unit, for checking units.
  fileprivate func example(in unit: ValueUnit?) -> Amount? {
    switch self {
    case .number(let quantity): Amount(1, CalculationUnit(quantity.dimension))
    case .figure(let figure): Amount(1, CalculationUnit(of: figure, in: unit))
    case .other(let reference): Amount(1, reference.likelyUnit)
    case .negative, .operation: nil
    }
  }

  // MARK: Values

  /// The result, if there are only numbers; `nil` otherwise.
  var constant: Amount? {
    (try? amount(needsValue: true) { if case .number(let quantity) = $0 { Amount(quantity) } else { nil } })
      ?? nil
  }

  /// The result for a metric; `nil` if there is none.
  fileprivate func amount(for metric: some QuerySubject) -> Amount? {
    try? amount(needsValue: true) { leaf in
      switch leaf {
      case .number(let quantity): Amount(quantity)
      case .figure(let figure):
        metric.figure(figure).map { Amount($0, CalculationUnit(of: figure, in: metric.unit)) }
      case .other(let reference):
        metric.figure(of: reference).flatMap { found in
          found.value.map { Amount($0, CalculationUnit(of: found.figure, in: found.unit)) }
        }
      case .negative, .operation: nil
      }
    }
  }

  /// - Parameters:
  ///   - needsValue: True to return `nil` for a number that is not finite or a division by zero.
  ///   - leaf: The value of a number or figure; `nil` if there is none.
  fileprivate func amount(
    needsValue: Bool, _ leaf: (Calculation) -> Amount?
  ) throws(UnitMismatch) -> Amount? {
    let amount = try combined(needsValue: needsValue, leaf)
    return amount.flatMap { $0.value.isFinite || !needsValue ? $0 : nil }
  }

  private func combined(
    needsValue: Bool, _ leaf: (Calculation) -> Amount?
  ) throws(UnitMismatch) -> Amount? {
    switch self {
    case .number, .figure, .other: return leaf(self)
    case .negative(let inner):
      return try inner.amount(needsValue: needsValue, leaf).map { Amount(-$0.value, $0.unit) }
    case .operation(let sign, let left, let right):
      guard let one = try left.amount(needsValue: needsValue, leaf),
        let other = try right.amount(needsValue: needsValue, leaf)
      else { return nil }
      // Without `needsValue`, a division by zero yields infinity or NaN.
      if sign.isProduct { return Amount.product(one, sign, other) }
      guard let sum = Amount.sum(one, sign, other) else {
        throw UnitMismatch(left: left, right: right, units: (one.unit, other.unit))
      }
      return sum
    }
  }
}

extension FigureReference {
  /// The unit that its name suggests; unknown if it suggests none.
  fileprivate var likelyUnit: CalculationUnit {
    let (metric, figure) = candidates.last ?? (text, .now)
    let unit = ValueUnit(name: metric)
    return CalculationUnit(of: figure, in: unit == .plain ? nil : unit)
  }
}
