package import Codecs
package import QueryLanguage

/// The limits of a session, from the command line, the configuration and the screen.
package struct LimitSet: Hashable, Sendable {
  /// In order of precedence.
  package private(set) var all: [MetricLimit] {
    didSet { (names, patterns) = Self.parts(of: all) }
  }
  /// Plain names, and patterns and queries by index: most metrics have no limit, and are looked up every second.
  private var names: Set<String>
  private var patterns: [Int: Pattern]

  private enum Pattern: Hashable {
    case glob(NameGlob)
    case query(LimitQuery)

    func matches(_ name: String) -> Bool {
      switch self {
      case .glob(let glob): glob.matches(name)
      case .query(let query): query.matches(name: name)
      }
    }
  }

  package init(_ limits: [MetricLimit] = []) {
    all = limits
    (names, patterns) = Self.parts(of: limits)
  }

  private static func parts(of limits: [MetricLimit]) -> (names: Set<String>, patterns: [Int: Pattern]) {
    var patterns: [Int: Pattern] = [:]
    for (index, limit) in limits.enumerated() {
      patterns[index] = limit.query.map(Pattern.query) ?? NameGlob(limit.metric).map(Pattern.glob)
    }
    return (Set(limits.lazy.filter { $0.query == nil }.map(\.metric)), patterns)
  }

  /// Creates limits of the 95th percentile, by `bucket.name`.
  package init(_ bounds: [String: Double]) {
    self.init(bounds.sorted { $0.key < $1.key }.map { MetricLimit(metric: $0.key, bound: $0.value) })
  }

  /// True if a metric has a limit.
  package func covers(_ name: String) -> Bool {
    names.contains(name) || patterns.values.contains { $0.matches(name) }
  }

  /// The limits of a metric; of two for the same figure and side, only the one with precedence.
  ///
  /// - Parameter unit: The unit of the metric's values and of the limits.
  package func limits(of name: String, in unit: ValueUnit) -> [MetricLimit] {
    guard covers(name) else { return [] }
    var found: [MetricLimit] = []
    for (index, limit) in all.enumerated() {
      guard limit.query == nil && limit.metric == name || patterns[index]?.matches(name) ?? false,
        let limit = limit.limit(in: unit),
        !found.contains(where: limit.rivals)
      else { continue }
      found.append(limit)
    }
    return found
  }

  /// The limit that charts draw: the upper one of the 95th percentile, otherwise the first in the unit of the values.
  package func drawn(of name: String, in unit: ValueUnit) -> MetricLimit? {
    let found = limits(of: name, in: unit).filter { $0.figure.isOfValues && $0.calculation == nil }
    return found.first { $0.figure == .p95 && !$0.isFloor } ?? found.first
  }

  /// The metrics that calculations refer to.
  package var references: [FigureReference] { all.flatMap { $0.calculation?.references ?? [] } }

  /// Puts a limit before all others; replaces those set for exactly this metric.
  package mutating func set(_ limit: MetricLimit) {
    remove(limit.metric)
    all.insert(limit, at: 0)
  }

  /// Removes the limits set for exactly this metric.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package mutating func remove(_ metric: String) -> Bool {
    let count = all.count
    all.removeAll { $0.isOf(metric) }
    return all.count < count
  }

  /// These limits, with precedence over others.
  package func over(_ others: LimitSet) -> LimitSet { LimitSet(all + others.all) }
}
