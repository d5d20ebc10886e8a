import Codecs

// Explanations for an empty result.
extension Query {
  /// The probable meaning of each part that matches nothing, such as `status: did you mean net.status?`.
  ///
  /// - Parameters:
  ///   - names: The full names of all metrics.
  ///   - fields: The names of all fields.
  package func hints(names: [String], fields known: Set<String>) -> [String] {
    func isPart(_ word: String) -> Bool {
      let part = NamePart(word)
      return names.contains(where: part.occurs)
    }
    var hints: [String] = []
    func add(_ part: String, _ near: String?) {
      guard let hint = near.map({ "\(part): did you mean \($0)?" }), !hints.contains(hint) else { return }
      hints.append(hint)
    }
    for word in words where !isPart(word) {
      add(
        word,
        Suggestion.list(Suggestion.nearest(to: word, among: names + QueryState.allCases.map(\.rawValue))))
    }
    for field in fields where !known.contains(field) && !names.contains(field) {
      let near = Suggestion.closest(to: field, among: known.sorted() + QueryFigure.allCases.map(\.rawValue))
      add(field, near ?? Suggestion.list(Suggestion.nearest(to: field, among: names)))
    }
    for reference in references where !reference.isKnown(among: names) {
      add(reference.metric, reference.suggestion(among: names))
    }
    return hints
  }
}

extension FigureReference {
  /// The name of the metric alone.
  package var metric: String { candidates.last?.metric ?? text }

  /// True if it may refer to a metric of this name.
  func mayBe(_ name: String) -> Bool {
    candidates.contains { name == $0.metric || name.hasSuffix("." + $0.metric) }
  }

  package func isKnown(among names: some Sequence<String>) -> Bool {
    // Any field of a struct counts its samples.
    names.contains { mayBe($0) || $0.contains(metric + ".") }
  }

  package func suggestion(among names: some Sequence<String>) -> String? {
    Suggestion.list(Suggestion.nearest(to: metric, among: names))
  }
}
