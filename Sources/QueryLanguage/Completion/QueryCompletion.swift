/// The possible input at a place in a query.
package struct QueryCompletion: Sendable, Equatable {
  /// The known names besides the words of the language.
  package struct Vocabulary: Sendable {
    /// The whole names of metrics.
    package var names: [String]
    /// The names of fields of structs.
    package var fields: [String]
    /// The texts that a field was seen with, by its name.
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

  /// One thing that may be typed.
  package struct Candidate: Sendable, Hashable {
    package let kind: Kind
    /// As it is typed, in quotes where it needs them.
    package let text: String
  }

  /// The range that a candidate replaces, in characters; empty where nothing was begun.
  package let range: Range<Int>
  /// The candidates, the best fit first.
  package let candidates: [Candidate]

  /// The field whose value is at a place; `nil` elsewhere.
  package static func comparedField(in text: String, at cursor: Int) -> String? {
    let head = String(text.prefix(max(0, min(cursor, Query.longest))))
    if case .value(let field) = QueryPlace(before: head).expected { return field }
    return nil
  }

  /// A text without the word at its end, where that is or may become a word of the language and is read as a part of a
  /// name as yet: `api p9`; `nil` elsewhere.
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

  /// The candidates that fit at a place.
  ///
  /// - Parameters:
  ///   - text: The whole text of the query.
  ///   - cursor: Where it is typed, in characters.
  ///   - limit: The most candidates.
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
