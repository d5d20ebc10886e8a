import Codecs

/// The contents of a query, as a tree.
///
/// The parts of `all` and `any` are sorted by cost.
indirect enum QueryExpression: Sendable, Equatable {
  case name(NamePattern)
  case figure(FigureComparison)
  case calculation(CalculationComparison)
  case state(QueryState)
  case field(FieldComparison)
  case not(QueryExpression)
  case all([QueryExpression])
  case any([QueryExpression])

  /// The kinds of things that a tree asks about.
  struct Scope: OptionSet, Sendable {
    let rawValue: UInt8

    static let names = Scope(rawValue: 1)
    /// Fields of samples.
    static let samples = Scope(rawValue: 2)
    static let figures = Scope(rawValue: 4)
    static let states = Scope(rawValue: 8)
    static let metrics: Scope = [.figures, .states]
  }

  var scope: Scope {
    switch self {
    case .name: .names
    case .figure, .calculation: .figures
    case .state: .states
    case .field: .samples
    case .not(let inner): inner.scope
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.scope) }
    }
  }

  /// A conjunction, flattened, cheapest parts first.
  static func joined(all parts: [QueryExpression]) -> QueryExpression {
    let flat = parts.flatMap { part in if case .all(let inner) = part { inner } else { [part] } }
    return flat.count == 1 ? flat[0] : .all(byCost(flat))
  }

  /// A disjunction, flattened, cheapest parts first.
  static func joined(any parts: [QueryExpression]) -> QueryExpression {
    let flat = parts.flatMap { part in if case .any(let inner) = part { inner } else { [part] } }
    return flat.count == 1 ? flat[0] : .any(byCost(flat))
  }

  /// The standard `sort` is not guaranteed to be stable, and the order must not depend on how a query was joined.
  private static func byCost(_ parts: [QueryExpression]) -> [QueryExpression] {
    let costs = parts.map(\.scope.cost)
    return parts.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { parts[$0] }
  }

  /// Calls `body` with every leaf, in order.
  func forEachLeaf(_ body: (QueryExpression) -> Void) {
    switch self {
    case .name, .figure, .calculation, .state, .field: body(self)
    case .not(let inner): inner.forEachLeaf(body)
    case .all(let parts), .any(let parts): for part in parts { part.forEachLeaf(body) }
    }
  }
}

// MARK: Units

extension QueryExpression {
  /// True if it compares a figure with a number that has a unit, which some metrics lack.
  var comparesUnits: Bool {
    switch self {
    case .figure(let comparison): comparison.figure.isOfValues && comparison.quantity.dimension != .plain
    case .calculation(let comparison): comparison.hasUnits
    case .name, .state, .field, .not, .all, .any: false
    }
  }

  /// True if the comparison is possible for a metric with this unit.
  func fits(_ unit: ValueUnit) -> Bool {
    switch self {
    case .figure(let comparison): comparison.limit(in: unit) != nil
    case .calculation(let comparison): comparison.fits(unit)
    case .name, .state, .field, .not, .all, .any: true
    }
  }
}

extension QueryExpression.Scope {
  /// The cost of a test: names are available, figures are computed, states and samples are searched.
  var cost: UInt8 {
    if contains(.samples) { return 3 }
    if contains(.states) { return 2 }
    return contains(.figures) ? 1 : 0
  }
}
