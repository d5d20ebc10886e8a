/// The end of the text before a cursor, and what may follow.
struct QueryPlace: Equatable {
  enum Expected: Equatable {
    /// A condition; after a complete one, also the word that joins it to the next.
    case condition(isFirst: Bool)
    /// An operator or similar after a word.
    case rest(of: String)
    case number(QueryFigure)
    case value(field: String)
    /// Something that only the user knows: a quoted text, a pattern.
    case nothing
  }

  private(set) var expected = Expected.condition(isFirst: true)
  /// The part of it that is already typed.
  private(set) var begun = ""

  init(before text: String) {
    var scanner = QueryScanner(text)
    scanner.skipBlanks()
    while !scanner.isAtEnd {
      let start = scanner.place
      let behind = step(&scanner)
      if scanner.isAtEnd {
        end(with: scanner.text(start..<scanner.scalars.count), behind)
        return
      }
      expected = behind ?? .nothing
      scanner.skipBlanks()
    }
  }

  /// Consumes one part of the text and returns what is expected after it; `nil` if it is incomplete.
  private func step(_ scanner: inout QueryScanner) -> Expected? {
    switch expected {
    case .number, .value:
      if scanner.next() == "\"" { return scanner.quoted() == nil ? nil : .condition(isFirst: false) }
      if scanner.value().isEmpty { scanner.place += 1 }
      return .condition(isFirst: false)
    case .condition, .rest, .nothing: break
    }
    if scanner.isBeforeOperator {
      _ = scanner.operatorSigns()
      return .number(.now)
    }
    switch scanner.next() {
    case "\"": return scanner.quoted().map { Self.behind($0, isQuoted: true, &scanner) }
    case "/": return scanner.expression().map { _ in .condition(isFirst: false) }
    case let sign? where "()!&|".unicodeScalars.contains(sign):
      scanner.place += 1
      return .condition(isFirst: sign != ")")
    default: return Self.behind(scanner.word(), isQuoted: false, &scanner)
    }
  }

  /// The input expected after a word and the operator that may follow it.
  private static func behind(_ word: String, isQuoted: Bool, _ scanner: inout QueryScanner) -> Expected {
    if !isQuoted, QueryKeyword(rawValue: word.lowercased()) != nil { return .condition(isFirst: true) }
    let end = scanner.place
    scanner.skipBlanks()
    guard scanner.isBeforeOperator else {
      scanner.place = end
      return isQuoted ? .condition(isFirst: false) : .rest(of: word)
    }
    _ = scanner.operatorSigns()
    guard !isQuoted, let figure = QueryFigure(rawValue: word.lowercased()) else { return .value(field: word) }
    return .number(figure)
  }

  /// Records the last part of the text, which may be incomplete.
  private mutating func end(with part: String, _ behind: Expected?) {
    switch (expected, behind) {
    case (.value, _): begun = part
    case (_, nil): expected = .nothing
    case (.number, _): begun = part
    case (_, .rest?): begun = part
    // A keyword may be the start of a name.
    case (_, .condition(isFirst: true)?) where QueryKeyword(rawValue: part.lowercased()) != nil: begun = part
    case (_, let behind?): expected = behind
    }
  }
}
