import Codecs

/// Two calculations compared: `p95 > 2 * p50`, `errors.count / requests.count > 0.01`.
package struct CalculationComparison: Sendable, Hashable {
  let left: Calculation
  let comparison: QueryOperator
  let right: Calculation
  /// The figures of named metrics, from left to right.
  package let references: [FigureReference]
  /// The metric that it is about, where that is not whichever is asked.
  let subject: FigureReference?

  init(_ left: Calculation, _ comparison: QueryOperator, _ right: Calculation) {
    (self.left, self.comparison, self.right) = (left, comparison, right)
    references = left.references + right.references
    subject = left.usesOwnFigures || right.usesOwnFigures ? nil : references.first
  }

  /// True if it holds for a metric; never where a figure is missing, a division is by zero or units do not fit.
  ///
  /// Without a figure of its own it is about the metric that it names first.
  func matches(_ metric: some QuerySubject) -> Bool {
    guard let sides = sides(for: metric) else { return false }
    return comparison.holds(sides.left, sides.right)
  }

  /// Both sides in one unit, that of the left one; `nil` where there is no value, or another metric is meant.
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

  /// The first figure, as it could be typed; `nil` where only numbers are compared.
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

  /// True if both sides have a unit in common for metrics of a unit.
  func fits(_ unit: ValueUnit) -> Bool { (try? check(in: unit)) != nil }

  var text: String { "\(left.text) \(comparison.rawValue) \(right.text)" }
}

// MARK: Units

/// Two parts of a calculation that have no unit in common.
struct UnitMismatch: Error {
  let left: Calculation
  let right: Calculation
  let units: (CalculationUnit, CalculationUnit)
}

extension CalculationComparison {
  /// Refuses what fits no metric of any unit.
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
  /// One of what it is measured in.
  fileprivate func example(in unit: ValueUnit?) -> Amount? {
    switch self {
    case .number(let quantity): Amount(1, CalculationUnit(quantity.dimension))
    case .figure(let figure): Amount(1, CalculationUnit(of: figure, in: unit))
    case .other(let reference): Amount(1, reference.likelyUnit)
    case .negative, .operation: nil
    }
  }

  // MARK: Values

  /// The result of numbers alone; `nil` where there are others.
  var constant: Amount? {
    (try? amount(needsValue: true) { if case .number(let quantity) = $0 { Amount(quantity) } else { nil } })
      ?? nil
  }

  /// The result for a metric; `nil` where there is none.
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
  ///   - needsValue: Whether there is no result where a number is not finite or divided by zero.
  ///   - leaf: A number or figure as it is; `nil` where there is none.
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
      // Without a value, a division by zero is infinite or no number.
      if sign.isProduct { return Amount.product(one, sign, other) }
      guard let sum = Amount.sum(one, sign, other) else {
        throw UnitMismatch(left: left, right: right, units: (one.unit, other.unit))
      }
      return sum
    }
  }
}

extension FigureReference {
  /// The unit that its name says; unknown where that says none.
  fileprivate var likelyUnit: CalculationUnit {
    let (metric, figure) = candidates.last ?? (text, .now)
    let unit = ValueUnit(name: metric)
    return CalculationUnit(of: figure, in: unit == .plain ? nil : unit)
  }
}
