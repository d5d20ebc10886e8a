/// Ranks candidates: first those that start with the typed prefix, then those with a part that does, then those that
/// contain it.
struct CandidateRanking {
  private typealias Candidate = QueryCompletion.Candidate

  /// The typed text, without an opening quote.
  private let begun: NamePart
  private let prefix: String
  /// Candidates by quality of match, in the order of adding.
  private var found: [[QueryCompletion.Candidate]] = [[], [], []]

  init(begun: String) {
    let text = begun.hasPrefix("\"") ? String(begun.dropFirst()) : begun
    self.begun = NamePart(text)
    prefix = text.lowercased()
  }

  /// The best candidates up to a limit, without duplicates.
  func best(_ limit: Int) -> [QueryCompletion.Candidate] {
    var (result, met) = ([QueryCompletion.Candidate](), Set<QueryCompletion.Candidate>())
    for candidate in found.joined() {
      guard result.count < limit else { break }
      if met.insert(candidate).inserted { result.append(candidate) }
    }
    return result
  }

  /// Adds everything that is valid at a position.
  mutating func add(_ expected: QueryPlace.Expected, _ vocabulary: QueryCompletion.Vocabulary) {
    switch expected {
    case .condition(let isFirst):
      if !isFirst { add(.keyword, [QueryKeyword.and, .or].map(\.rawValue)) }
      addConditions(vocabulary)
    case .rest(let word): addRest(of: word, vocabulary)
    case .number(let figure):
      addNumbers(for: figure)
      if prefix.first?.isLetter == true { add(.figure, QueryFigure.allCases.map(\.rawValue)) }
    case .value(let field):
      add(.value, vocabulary.values[field] ?? [], spelledBy: QuerySpelling.isPlain(value:))
    case .nothing: break
    }
  }

  private mutating func addConditions(_ vocabulary: QueryCompletion.Vocabulary) {
    add(.figure, QueryFigure.allCases.map(\.rawValue))
    add(.state, QueryState.allCases.map(\.rawValue))
    add(.keyword, [QueryKeyword.not.rawValue])
    add(.field, vocabulary.fields, spelledBy: QuerySpelling.isPlain(field:))
    add(.name, vocabulary.names, spelledBy: QuerySpelling.isPlain(name:))
  }

  private mutating func addRest(of word: String, _ vocabulary: QueryCompletion.Vocabulary) {
    let operators = QueryOperator.allCases.map(\.rawValue)
    // A figure needs an operator.
    if QueryFigure(rawValue: word.lowercased()) != nil { return add(.comparison, operators) }
    if vocabulary.fields.contains(word) {
      add(.comparison, ["=", "!="] + operators.filter { !$0.hasSuffix("=") })
    }
    add(.condition(isFirst: false), vocabulary)
  }

  /// Adds the typed number with each unit that it may have.
  private mutating func addNumbers(for figure: QueryFigure) {
    guard !prefix.isEmpty, (try? Quantity(prefix))?.dimension == .plain else { return }
    let units =
      switch figure {
      case .now, .p50, .p95, .p99, .max, .min, .mean: ["ms", "s", "m", "KB", "MB", "MiB", "%", "k", "M"]
      case .n: ["k", "M"]
      case .rate: ["/s", "/m", "/h"]
      case .age: ["s", "m", "h", "d"]
      }
    add(.number, units.map { prefix + $0 })
  }

  private mutating func add(
    _ kind: QueryCompletion.Kind, _ texts: [String], spelledBy isPlain: (String) -> Bool = { _ in true }
  ) {
    for text in texts where begun.occurs(in: text) {
      let lower = text.lowercased()
      // A complete word needs no completion.
      guard lower != prefix || prefix.isEmpty else { continue }
      let rank = lower.hasPrefix(prefix) ? 0 : hasPart(lower) ? 1 : 2
      found[rank].append(Candidate(kind: kind, text: isPlain(text) ? text : QuerySpelling.quoted(text)))
    }
  }

  /// True if a part of a name, between dots or underscores, starts with the typed prefix.
  private func hasPart(_ name: String) -> Bool {
    name.split { $0 == "." || $0 == "_" }.contains { $0.hasPrefix(prefix) } || name.contains("." + prefix)
  }
}
