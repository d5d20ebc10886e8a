package import Codecs

/// A condition that chooses metrics and samples: `api and p95 > 400ms`, `route = /feed`, `firing and not *_bytes`.
///
/// It has two parts, both of which must hold. Comparisons of fields choose samples, figures and states choose metrics,
/// and names choose both. `docs/query.md` describes the language.
///
/// ```swift
/// let query = try Query.parse("api and p95 > 400ms")
/// let rows = series.filter { query.matches(metric: $0) }
/// ```
package struct Query: Sendable, Equatable {
  /// Maximum length of a query, in characters.
  package static let longest = 2000
  /// Maximum nesting depth of parentheses and `not`.
  package static let deepest = 64

  /// The query that chooses everything.
  package static let all = Query(text: "", parts: [])

  /// The query as typed, without surrounding blanks.
  package let text: String
  /// The conditions, all of which must hold, by what they ask about.
  private let names: [QueryExpression]
  private let samples: [QueryExpression]
  private let metrics: [QueryExpression]
  /// The scope of the comparison.
  private let scope: QueryExpression.Scope
  /// The names of all compared fields, without duplicates, in order.
  package let fields: [String]
  /// The figures of named metrics that it calculates with.
  package let references: [FigureReference]

  init(text: String, parts: [QueryExpression]) {
    self.text = text
    names = parts.filter { $0.scope == .names }
    samples = parts.filter { $0.scope.contains(.samples) }
    metrics = parts.filter { !$0.scope.isDisjoint(with: .metrics) }
    scope = parts.reduce(into: []) { $0.formUnion($1.scope) }
    var fields: [String] = []
    for part in samples {
      part.forEachLeaf { if case .field(let comparison) = $0 { fields.append(comparison.field) } }
    }
    var met: Set<String> = []
    self.fields = fields.filter { met.insert($0).inserted }
    var references: [FigureReference] = []
    for part in metrics {
      part.forEachLeaf { if case .calculation(let comparison) = $0 { references += comparison.references } }
    }
    self.references = references
  }

  /// Two queries are equal if they have the same meaning in the same order, however they are spaced.
  package static func == (left: Query, right: Query) -> Bool {
    left.names == right.names && left.samples == right.samples && left.metrics == right.metrics
  }

  /// The conditions on figures and states, all of which must hold.
  var metricConditions: [QueryExpression] { metrics }

  /// True if every name matches.
  var choosesAllNames: Bool { names.isEmpty }

  /// True if it chooses everything.
  package var isEmpty: Bool { scope.isEmpty }

  /// True if samples are chosen by their fields.
  package var needsFields: Bool { !samples.isEmpty }

  /// True if metrics are chosen by figures.
  package var needsFigures: Bool { scope.contains(.figures) }

  /// True if metrics are chosen by states.
  package var needsStates: Bool { scope.contains(.states) }

  /// True if a figure is compared with a number that has a unit, which some metrics lack.
  package var asksForUnits: Bool {
    var asks = false
    for part in metrics {
      part.forEachLeaf { asks = asks || $0.comparesUnits }
    }
    return asks
  }

  /// True if a metric chosen by name has a unit that matches one of its numbers.
  package func fits(name: String, unit: ValueUnit) -> Bool {
    guard matches(name: name) else { return false }
    var fits = false
    for part in metrics {
      part.forEachLeaf { fits = fits || $0.comparesUnits && $0.fits(unit) }
    }
    return fits
  }

  /// The query in its canonical spelling, which parses to an equal query.
  package var canonicalText: String {
    let parts = names + metrics + samples
    return parts.isEmpty ? "" : QueryExpression.joined(all: parts).text
  }

  /// The texts that it searches for in names, in order; they may be misspelled if none is found.
  package var words: [String] {
    var words: [String] = []
    for part in names + metrics + samples {
      part.forEachLeaf { if case .name(.part(let part)) = $0 { words.append(part.text) } }
    }
    return words
  }
}

// MARK: Matching

extension Query {
  /// True if a metric is chosen.
  ///
  /// Names are tested first, then figures of what is left, then states, and samples last.
  ///
  /// - Parameter samplesAreChosen: True if the metric contains only samples that ``matches(fieldsOf:)`` chose, so that
  ///   no condition on samples needs checking.
  package func matches(metric: some QuerySubject, samplesAreChosen: Bool = false) -> Bool {
    names.allSatisfy { $0.matches(metric) } && metrics.allSatisfy { $0.matches(metric) }
      && (samplesAreChosen || samples.allSatisfy { $0.matches(metric) })
  }

  /// True if a sample is chosen, by its metric's name and its fields.
  package func matches(sample: some QuerySample) -> Bool {
    names.allSatisfy { $0.matches(name: sample.name) } && matches(fieldsOf: sample)
  }

  /// True if a sample is chosen by its fields: conditions on names alone are ignored.
  ///
  /// For sums of several series, each with its own name: those are chosen by ``matches(metric:)``.
  package func matches(fieldsOf sample: some QuerySample) -> Bool {
    samples.allSatisfy { $0.matches(sample: sample) }
  }

  /// True if a metric of this name may be chosen, or another one needs its figures.
  package func concerns(name: String) -> Bool {
    matches(name: name)
      || references.contains { $0.mayBe(name) }
  }

  /// True if a name is chosen, regardless of other conditions.
  package func matches(name: String) -> Bool { names.allSatisfy { $0.matches(name: name) } }
}
