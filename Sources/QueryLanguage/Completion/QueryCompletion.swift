/// The possible input at a position in a query.
package struct QueryCompletion: Sendable, Equatable {
  /// The known names, in addition to the words of the language.
  package struct Vocabulary: Sendable {
    /// The full names of metrics.
    package var names: [String]
    /// The names of fields of structs.
    package var fields: [String]
    /// The values seen for a field, by its name.
    package var values: [String: [String]]

    package init(names: [String] = [], fields: [String] = [], values: [String: [String]] = [:]) {
      self.names = names
      self.fields = fields
      self.values = values
    }
  }

  /// The kind of a candidate.
  package enum Kind: Sendable, CaseIterable {
    case name, field, figure, state, keyword, comparison, value, number
  }

  /// A possible completion.
  package struct Candidate: Sendable, Hashable {
    package let kind: Kind
    /// The text to insert, quoted if necessary.
    package let text: String
  }

  /// The range that a candidate replaces, in characters; empty if nothing was typed yet.
  package let range: Range<Int>
  /// The candidates, best match first.
  package let candidates: [Candidate]

  /// The field whose value is being typed at a position; `nil` elsewhere.
  package static func comparedField(in text: String, at cursor: Int) -> String? {
    let head = String(text.prefix(max(0, min(cursor, Query.longest))))
    if case .value(let field) = QueryPlace(before: head).expected { return field }
    return nil
  }

  /// A text without its last word, if that is or may become a word of the language but is so far read as a part of a
  /// name: `api p9`; `nil` otherwise.
  package static func beforeHalfWord(_ text: String) -> String? {
    let blanks = text.reversed().prefix { $0 == " " }.count
    let trimmed = String(text.dropLast(blanks))
    let place = QueryPlace(before: trimmed)
    switch place.expected {
    case .condition, .rest: break
    case .number, .value, .nothing: return nil
    }
    guard !place.begun.isEmpty else { return nil }
    let begun = place.begun.lowercased()
    let words =
      QueryFigure.allCases.map(\.rawValue) + QueryState.allCases.map(\.rawValue)
      + QueryKeyword.allCases.map(\.rawValue)
    guard words.contains(where: { $0.hasPrefix(begun) }) else { return nil }
    return String(trimmed.dropLast(place.begun.count))
  }

  /// The candidates at a position.
  ///
  /// - Parameters:
  ///   - text: The whole text of the query.
  ///   - cursor: Position of the cursor, in characters.
  ///   - limit: Maximum number of candidates.
  package init(of text: String, at cursor: Int, _ vocabulary: Vocabulary, limit: Int = 10) {
    let head = String(text.prefix(max(0, min(cursor, Query.longest))))
    let place = QueryPlace(before: head)
    let end = head.count
    range = max(0, end - place.begun.count)..<end
    var ranking = CandidateRanking(begun: place.begun)
    ranking.add(place.expected, vocabulary)
    candidates = ranking.best(limit)
  }
}
