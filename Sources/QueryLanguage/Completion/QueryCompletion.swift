/// What may be typed at a place in a query.
package struct QueryCompletion: Sendable, Equatable {
  /// What is known besides the words of the language.
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

  /// What a candidate is.
  package enum Kind: Sendable, CaseIterable {
    case name, field, figure, state, keyword, comparison, value, number
  }

  /// One thing that may be typed.
  package struct Candidate: Sendable, Hashable {
    package let kind: Kind
    /// As it is typed, in quotes where it needs them.
    package let text: String
  }

  /// What a candidate takes the place of, in characters; empty where nothing was begun.
  package let range: Range<Int>
  /// What fits best first.
  package let candidates: [Candidate]

  /// What fits at a place.
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
