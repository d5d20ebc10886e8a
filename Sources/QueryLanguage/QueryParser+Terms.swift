import Codecs

extension QueryParser {
  /// One condition: a name, a comparison or a state.
  mutating func term() throws(QueryError) -> Part {
    let start = scanner.place
    if scanner.isBeforeOperator { return try figure(.now, start..<(start + 1)) }
    switch scanner.next() {
    case "\"":
      guard let text = scanner.quoted() else { throw error(.unclosedQuote, start..<(start + 1)) }
      return try named(text, from: start, isQuoted: true)
    case "/": return try expression(from: start)
    default: break
    }
    let word = scanner.word()
    guard !word.isEmpty else { throw unexpected(at: start) }
    guard QueryKeyword(rawValue: word.lowercased()) == nil else {
      throw error(.missingTerm, start..<scanner.place)
    }
    return try named(word, from: start, isQuoted: false)
  }

  /// The error for text where a condition is expected.
  private mutating func unexpected(at start: Int) -> QueryError {
    guard let sign = scanner.next(), sign == "&" || sign == "|", scanner.next(1) != sign else {
      return error(.missingTerm, start..<start)
    }
    return error(.unknownOperator(String(sign)), start..<(start + 1), "\(sign)\(sign)")
  }

  /// A name, or the comparison or state that starts with a word.
  private mutating func named(_ word: String, from start: Int, isQuoted: Bool) throws(QueryError) -> Part {
    let end = scanner.place
    scanner.skipBlanks()
    let isPattern = !isQuoted && QueryScanner.isPattern(word)
    if scanner.isBeforeOperator, !isPattern {
      if !isQuoted, let figure = QueryFigure(rawValue: word.lowercased()) {
        return try self.figure(figure, start..<end)
      }
      guard isQuoted || !QueryScanner.looksLikePercentile(word) else {
        throw error(.unknownFigure(word), start..<end, Self.percentile(near: word))
      }
      return try field(word, start..<end)
    }
    if isPattern { return Part(expression: .name(try glob(word, start..<end))) }
    if !isQuoted, let state = QueryState(rawValue: word.lowercased()) {
      try require(.states, for: word, start..<end)
      return Part(expression: .state(state), firstFigure: start..<end)
    }
    return Part(expression: .name(NamePattern(part: word)))
  }

  /// The percentile that was probably meant: one with swapped digits, or else the nearest.
  static func percentile(near word: String) -> String? {
    let digits = String(word.dropFirst())
    let known: [QueryFigure] = [.p50, .p95, .p99]
    if let swapped = known.first(where: { $0.rawValue == "p" + String(digits.reversed()) }) {
      return swapped.rawValue
    }
    guard let wanted = Double(digits) else { return nil }
    func distance(_ figure: QueryFigure) -> Double {
      abs((Double(figure.rawValue.dropFirst()) ?? 0) - wanted)
    }
    return known.min { distance($0) < distance($1) }?.rawValue
  }

  // MARK: Comparisons

  /// - Parameter word: Range of the name, or of the operator if there is no name.
  private mutating func figure(_ figure: QueryFigure, _ word: Range<Int>) throws(QueryError) -> Part {
    try require(.figures, for: figure.rawValue, word)
    let comparison = try comparison()
    let place = scanner.place
    let text = scanner.value()
    guard !text.isEmpty else {
      throw error(.missingNumber(after: comparison.rawValue), place..<place)
    }
    let end = scanner.place
    let quantity = try quantity(text, at: place)
    let result = FigureComparison(figure: figure, comparison: comparison, quantity: quantity)
    guard ValueUnit.all.contains(where: { result.limit(in: $0) != nil }) else {
      throw error(.wrongUnit(text, figure), place..<end)
    }
    scanner.skipBlanks()
    try refuseSeparatedUnit(of: text, quantity, from: place)
    return Part(expression: .figure(result), firstFigure: word.lowerBound..<end)
  }

  /// Rejects `400 ms` and `1 000`, which would be a number and a part of a name.
  func refuseSeparatedUnit(
    of number: String, _ quantity: Quantity, from place: Int
  ) throws(QueryError) {
    var ahead = scanner
    let rest = ahead.word()
    guard quantity.dimension == .plain, !rest.isEmpty else { return }
    let isDigits = rest.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? false
    guard isDigits || Quantity.unitNames.contains(rest) else { return }
    throw error(.separatedUnit(rest), place..<ahead.place, number + rest)
  }

  private mutating func field(_ name: String, _ word: Range<Int>) throws(QueryError) -> Part {
    try require(.fields, for: name, word)
    let comparison = try comparison()
    let place = scanner.place
    let literal = try literal(after: comparison)
    let end = scanner.place
    if comparison.isOrder {
      let text = scanner.text(place..<end)
      guard case .word = literal else { throw error(.noOrder(text), place..<end) }
      _ = try quantity(text, at: place)
    }
    scanner.skipBlanks()
    return Part(
      expression: .field(FieldComparison(name, comparison, literal)), firstField: word.lowerBound..<end)
  }

  /// Rejects what is unknown in the query's context.
  func require(
    _ knowledge: Query.Knowledge, for word: String, _ range: Range<Int>
  ) throws(QueryError) {
    guard !self.knowledge.contains(knowledge) else { return }
    throw error(.unknowable(word, knowledge), range)
  }

  private mutating func literal(after comparison: QueryOperator) throws(QueryError) -> FieldLiteral {
    let start = scanner.place
    if scanner.next() == "\"" {
      guard let text = scanner.quoted() else { throw error(.unclosedQuote, start..<(start + 1)) }
      return .text(text)
    }
    let word = scanner.value()
    guard !word.isEmpty, QueryKeyword(rawValue: word.lowercased()) == nil else {
      throw error(.missingValue(after: comparison.rawValue), start..<start)
    }
    guard QueryScanner.isPattern(word) else { return .word(FieldWord(word)) }
    return .pattern(try glob(word, start..<scanner.place))
  }

  mutating func comparison() throws(QueryError) -> QueryOperator {
    let start = scanner.place
    let signs = scanner.operatorSigns()
    let known = ["==": QueryOperator.equal][signs] ?? QueryOperator(rawValue: signs)
    guard let known else {
      let meant = [
        "=>": ">=", "=<": "<=", "<>": "!=", "=~": "=", "!==": "!=", "===": "=", ">>": ">", "<<": "<",
      ]
      throw error(.unknownOperator(signs), start..<scanner.place, meant[signs])
    }
    scanner.skipBlanks()
    return known
  }

  private func quantity(_ text: String, at place: Int) throws(QueryError) -> Quantity {
    let end = place + text.unicodeScalars.count
    do throws(Quantity.Fault) {
      return try Quantity(text)
    } catch {
      switch error {
      case .noNumber: throw self.error(.noNumber(text), place..<end)
      case .unknownUnit(let unit, let offset):
        throw self.error(
          .unknownUnit(unit), (place + offset)..<end, Suggestion.closest(to: unit, among: Quantity.unitNames))
      }
    }
  }

  // MARK: Patterns

  private mutating func expression(from start: Int) throws(QueryError) -> Part {
    guard let text = scanner.expression() else {
      throw error(.unclosedExpression, start..<scanner.scalars.count)
    }
    if let next = scanner.next(), !next.properties.isWhitespace, !")&|".unicodeScalars.contains(next) {
      throw error(.unseparatedExpression, start..<scanner.place)
    }
    let end = scanner.place
    scanner.skipBlanks()
    do throws(PatternFault) {
      return Part(expression: .name(try NamePattern(expression: text)))
    } catch {
      let inside = (start + 1 + error.range.lowerBound)..<(start + 1 + error.range.upperBound)
      throw self.error(.pattern(error.reason), error.reason.isOfWhole ? start..<end : inside)
    }
  }

  private func glob(_ text: String, _ range: Range<Int>) throws(QueryError) -> NamePattern {
    do throws(PatternFault) {
      return try NamePattern(glob: text)
    } catch {
      throw self.error(.pattern(error.reason), range)
    }
  }
}

extension PatternFault.Reason {
  fileprivate var isOfWhole: Bool { self == .tooLong || self == .tooComplex }
}

extension ValueUnit {
  static let all: [ValueUnit] = [.milliseconds, .seconds, .bytes, .percent, .plain]
}
