package import Codecs

/// A query that watches: one figure over or under a number, joined with names by `and`: `api.* and p95 > 400ms`.
package struct LimitQuery: Hashable, Sendable {
  /// As it was typed.
  package let text: String
  package let figure: QueryFigure
  /// Whether the figure is to stay above the number instead of below it.
  package let isFloor: Bool
  private let query: Query
  private let bound: Quantity
  private var clear: Quantity?

  /// - Throws: `QueryError` for what is no query, or asks for more or less than one figure.
  package init(_ text: String) throws(QueryError) {
    query = try Query.parse(text, knowing: .figures)
    guard let comparison = query.onlyFigure else {
      throw QueryError(code: .noLimit, range: 0..<text.count)
    }
    self.text = query.text
    figure = comparison.figure
    isFloor = comparison.comparison == .less
    bound = comparison.quantity
  }

  package static func == (left: LimitQuery, right: LimitQuery) -> Bool {
    left.text == right.text && left.clear == right.clear
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(clear)
  }

  /// Whether a metric of this name is watched.
  package func matches(name: String) -> Bool { query.matches(name: name) }

  /// The number in the unit that the figure has of a metric; `nil` where the units do not fit.
  package func bound(in unit: ValueUnit) -> Double? { figure.value(of: bound, in: unit) }

  /// Where the figure has to come back to, in that unit; `nil` where that is the number itself.
  package func clear(in unit: ValueUnit) -> Double? { clear.flatMap { figure.value(of: $0, in: unit) } }

  /// Sets where the figure has to come back to before an excess is over.
  ///
  /// - Returns: Whether the text is a number of the same unit, on the good side of the other.
  package mutating func setClear(_ text: String) -> Bool {
    guard let clear = try? Quantity(text) else { return false }
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

extension Query {
  /// The figure that it holds under or over a number, where it asks for nothing else but names.
  fileprivate var onlyFigure: FigureComparison? {
    guard !needsFields, metricConditions.count == 1, case .figure(let comparison) = metricConditions[0],
      comparison.comparison == .greater || comparison.comparison == .less
    else { return nil }
    return comparison
  }
}
