import Aggregation
package import Platform
package import QueryLanguage

/// The filter of rows: the text as typed, and the query parsed from it.
package struct RowFilter: Hashable, Sendable {
  package let text: String
  /// The parse error of the text; `nil` for a valid query.
  package let problem: QueryError?
  /// The last valid query: it applies until the text parses again.
  package private(set) var query = Query.all
  /// The query without its last word, which applies while that word is incomplete and matches nothing.
  private(set) var fallback: Query?

  package init() { (text, problem) = ("", nil) }

  /// - Parameter before: The filter before this edit, which applies while the text is not a valid query.
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

  /// The text of the query in effect.
  package var shownText: String { problem == nil ? text : query.text }

  /// The filter once typing has ended.
  package var settled: RowFilter {
    var filter = self
    filter.fallback = nil
    return filter
  }

  /// The message for an empty result, in one or two lines.
  ///
  /// - Parameter session: Decides whether any metric fits the requested units; if so, the units are not the cause.
  package func words(in session: Session) -> [String] {
    guard !isEmpty else { return ["no metric"] }
    var lines = ["nothing matches «\(shownText)»"]
    let series = session.store.allSeries.lazy.compactMap(session.store.identity)
    lines += query.hints(names: series.map(\.fullName), fields: Set(series.compactMap(\.field)))
    guard lines.count == 1, query.asksForUnits, !hasFittingMetric(session) else { return lines }
    return lines + [
      "a unit matches metrics named _ms, _bytes or _percent, or listed under units in the configuration; "
        + "leave it out for others"
    ]
  }

  private func hasFittingMetric(_ session: Session) -> Bool {
    session.store.allSeries.lazy.compactMap(session.store.identity).contains { identity in
      query.fits(name: identity.fullName, unit: session.unit(of: identity))
    }
  }

  /// True if the result depends on names alone, so that neither samples nor time change it.
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
  /// True if the result depends on names alone.
  package var isOfNames: Bool { !needsFigures && !needsStates && !needsFields }
}

/// When, and over which window, a filter was applied to figures and states.
package struct FilterMoment: Hashable, Sendable {
  package var second: Double
  package var window: Double

  /// Rounded to seconds: rows come and go at most once a second.
  package init?(_ filter: RowFilter, present: Timestamp, window: Double) {
    guard !filter.isOfNames else { return nil }
    (second, self.window) = (present.seconds.rounded(.down), window)
  }
}

extension Session {
  /// Builds the rows that pass a filter; if there are none while a word is incomplete, those of the query without it.
  ///
  /// - Parameter build: Receives the matcher; `nil` to let every series pass.
  package func filtered<Row>(
    by filter: RowFilter, from: Timestamp, to: Timestamp, _ build: (SeriesMatcher?) -> [Row]
  ) -> [Row] {
    guard !filter.isEmpty else { return build(nil) }
    let rows = build(SeriesMatcher(filter.query, in: self, from: from, to: to))
    guard rows.isEmpty, let fallback = filter.fallback else { return rows }
    return build(fallback.isEmpty ? nil : SeriesMatcher(fallback, in: self, from: from, to: to))
  }

  /// Closes the filter prompt, unless the text is not a valid query: then it stays open for correction.
  package mutating func closeFilter(_ filter: RowFilter) {
    if let problem = filter.problem { return showToast(problem.message) }
    overlay = nil
  }
}
