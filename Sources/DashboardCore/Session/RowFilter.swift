import Aggregation
package import Platform
package import QueryLanguage

/// The filter of rows: a text as it is typed, and the query that it is.
package struct RowFilter: Hashable, Sendable {
  package let text: String
  /// The problem with the text; `nil` for a query.
  package let problem: QueryError?
  /// The last text that was a query: until the next one is whole, the rows are those of this one.
  package private(set) var query = Query.all
  /// The query without the word at its end, whose rows stay while that is half typed and is the name of nothing.
  private(set) var fallback: Query?

  package init() { (text, problem) = ("", nil) }

  /// - Parameter before: What was typed before, whose rows stay while this text is no query.
  package init(_ text: String, before: RowFilter = RowFilter(), knowing knowledge: Query.Knowledge = .screen)
  {
    self.text = text
    do throws(QueryError) {
      query = try Query.parse(text, knowing: knowledge)
      problem = nil
      if knowledge.contains(.figures), let rest = QueryCompletion.beforeHalfWord(text) {
        fallback = try? Query.parse(rest, knowing: knowledge)
      }
    } catch {
      (query, fallback) = (before.query, before.fallback)
      problem = error
    }
  }

  package var isEmpty: Bool { text.trimmed.isEmpty }

  /// The text whose rows are shown.
  package var shownText: String { problem == nil ? text : query.text }

  /// The same as it is once it is typed.
  package var settled: RowFilter {
    var filter = self
    filter.fallback = nil
    return filter
  }

  /// The message where it lets nothing through, in one or two lines.
  ///
  /// - Parameter session: whose metrics may fit the units that are asked for, so that these are no reason.
  package func words(in session: Session) -> [String] {
    guard !isEmpty else { return ["no metric"] }
    var lines = ["nothing matches «\(shownText)»"]
    let series = session.store.allSeries.lazy.compactMap(session.store.identity)
    lines += query.hints(names: series.map(\.fullName), fields: Set(series.compactMap(\.field)))
    guard lines.count == 1, query.asksForUnits, !hasFittingMetric(session) else { return lines }
    return lines + [
      "a unit fits names that end in one, such as _ms, _bytes or _percent, and what units of the configuration names; "
        + "leave it out for others"
    ]
  }

  private func hasFittingMetric(_ session: Session) -> Bool {
    session.store.allSeries.lazy.compactMap(session.store.identity).contains { identity in
      query.fits(name: identity.fullName, unit: session.unit(of: identity))
    }
  }

  /// True if the names alone tell what matches, so that it changes with no sample and no second.
  package var isOfNames: Bool { query.isOfNames && fallback?.isOfNames ?? true }

  package static func == (left: RowFilter, right: RowFilter) -> Bool {
    left.text == right.text && left.query.text == right.query.text
      && left.fallback?.text == right.fallback?.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(query.text)
    hasher.combine(fallback?.text)
  }
}

extension Query {
  /// True if the names alone tell what matches.
  package var isOfNames: Bool { !needsFigures && !needsStates && !needsFields }
}

/// When, and over which window, a filter was held against figures and states.
package struct FilterMoment: Hashable, Sendable {
  package var second: Double
  package var window: Double

  /// Rows come and go at most once a second.
  package init?(_ filter: RowFilter, present: Timestamp, window: Double) {
    guard !filter.isOfNames else { return nil }
    (second, self.window) = (present.seconds.rounded(.down), window)
  }
}

extension Session {
  /// Builds the rows that a filter lets through; while a comparison is half typed, those of the query before.
  ///
  /// - Parameter build: Gets what lets a series through; `nil` for all of them.
  package func filtered<Row>(
    by filter: RowFilter, from: Timestamp, to: Timestamp, _ build: (SeriesMatcher?) -> [Row]
  ) -> [Row] {
    guard !filter.isEmpty else { return build(nil) }
    let rows = build(SeriesMatcher(filter.query, in: self, from: from, to: to))
    guard rows.isEmpty, let fallback = filter.fallback else { return rows }
    return build(fallback.isEmpty ? nil : SeriesMatcher(fallback, in: self, from: from, to: to))
  }

  /// Ends the typing of a filter, unless it is no query: then it stays to be corrected.
  package mutating func closeFilter(_ filter: RowFilter) {
    if let problem = filter.problem { return showToast(problem.message) }
    overlay = nil
  }
}
