import Platform
import QueryLanguage

/// What rows are filtered by: a text as it is typed, and the query that it is.
package struct RowFilter: Hashable, Sendable {
  package let text: String
  /// What is wrong with the text; `nil` for a query.
  let problem: QueryError?
  /// The last text that was a query: until the next one is whole, the rows are those of this one.
  private(set) var query = Query.all

  package init() { (text, problem) = ("", nil) }

  /// - Parameter before: What was typed before, whose rows stay while this text is no query.
  init(_ text: String, before: RowFilter = RowFilter(), knowing knowledge: Query.Knowledge = .everything) {
    self.text = text
    do throws(QueryError) {
      query = try Query.parse(text, knowing: knowledge)
      problem = nil
    } catch {
      query = before.query
      problem = error
    }
  }

  var isEmpty: Bool { text.trimmed.isEmpty }

  /// Whether the names alone tell what matches, so that it changes with no sample and no second.
  var isOfNames: Bool { !query.needsFigures && !query.needsStates && !query.needsFields }

  package static func == (left: RowFilter, right: RowFilter) -> Bool {
    left.text == right.text && left.query.text == right.query.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(query.text)
  }
}

/// When, and over which window, a filter was held against figures and states.
struct FilterMoment: Hashable, Sendable {
  var second: Double
  var window: Double

  /// Rows come and go at most once a second.
  init?(_ filter: RowFilter, edge: Timestamp, window: Double) {
    guard !filter.isOfNames else { return nil }
    (second, self.window) = (edge.seconds.rounded(.down), window)
  }
}

extension Session {
  /// Ends the typing of a filter, unless it is no query: then it stays to be corrected.
  mutating func closeFilter(_ filter: RowFilter) {
    if let problem = filter.problem { return showToast(problem.message) }
    overlay = nil
  }
}
