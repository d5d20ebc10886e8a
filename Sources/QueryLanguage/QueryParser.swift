/// Parses the text of a query by recursive descent.
struct QueryParser {
  /// A part of a query, with the positions of things that must not be combined under `or` and `not`.
  struct Part {
    var expression: QueryExpression
    var firstField: Range<Int>?
    var firstFigure: Range<Int>?
  }

  var scanner: QueryScanner
  /// The things that the query may ask for besides names.
  let knowledge: Query.Knowledge
  private var depth = 0

  init(_ text: String, knowing knowledge: Query.Knowledge) {
    scanner = QueryScanner(text)
    self.knowledge = knowledge
  }

  /// An error at a position in Unicode scalars.
  func error(_ code: QueryError.Code, _ range: Range<Int>, _ suggestion: String? = nil) -> QueryError {
    QueryError(code: code, range: range, suggestion: suggestion)
  }

  /// Parses the whole text.
  mutating func query() throws(QueryError) -> QueryExpression? {
    scanner.skipBlanks()
    guard !scanner.isAtEnd else { return nil }
    let part = try choice()
    guard scanner.isAtEnd else { throw error(.unopenedGroup, scanner.place..<(scanner.place + 1)) }
    return part.expression
  }

  // MARK: Joining

  private mutating func choice() throws(QueryError) -> Part {
    var parts = [try sequence()]
    while take(.or, "|") { parts.append(try sequence()) }
    guard parts.count > 1 else { return parts[0] }
    return try checked(Self.join(parts) { .joined(any: $0) })
  }

  private mutating func sequence() throws(QueryError) -> Part {
    var parts = [try unary()]
    while take(.and, "&") || isBeforeTerm { parts.append(try unary()) }
    return parts.count > 1 ? Self.join(parts) { .joined(all: $0) } : parts[0]
  }

  private static func join(_ parts: [Part], _ make: ([QueryExpression]) -> QueryExpression) -> Part {
    Part(
      expression: make(parts.map(\.expression)), firstField: parts.lazy.compactMap(\.firstField).first,
      firstFigure: parts.lazy.compactMap(\.firstFigure).first)
  }

  /// Rejects a mix of fields and figures, which would choose neither samples nor metrics.
  private func checked(_ part: Part) throws(QueryError) -> Part {
    guard let field = part.firstField, let figure = part.firstFigure else { return part }
    throw error(.mixedLevels, field.lowerBound > figure.lowerBound ? field : figure)
  }

  private mutating func unary() throws(QueryError) -> Part {
    scanner.skipBlanks()
    let start = scanner.place
    if take(.not, nil) || takeExclamation() {
      return try deeper(from: start) { (parser) throws(QueryError) in
        var part = try parser.unary()
        part.expression = .not(part.expression)
        return try parser.checked(part)
      }
    }
    if let part = try calculation() { return part }
    guard scanner.next() == "(" else { return try term() }
    scanner.place += 1
    return try deeper(from: start) { (parser) throws(QueryError) in
      let part = try parser.choice()
      guard parser.scanner.next() == ")" else { throw parser.error(.unclosedGroup, start..<(start + 1)) }
      parser.scanner.place += 1
      parser.scanner.skipBlanks()
      return part
    }
  }

  private mutating func deeper(
    from start: Int, _ body: (inout QueryParser) throws(QueryError) -> Part
  ) throws(QueryError) -> Part {
    guard depth < Query.deepest else { throw error(.tooDeep, start..<(start + 1)) }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Keywords

  /// True if a condition follows without a connecting keyword.
  private var isBeforeTerm: Bool {
    var ahead = self
    ahead.scanner.skipBlanks()
    guard let scalar = ahead.scanner.next() else { return false }
    return scalar != ")" && !ahead.take(.or, "|")
  }

  /// Consumes a keyword, or its doubled sign, and the blanks around it.
  private mutating func take(_ keyword: QueryKeyword, _ sign: Unicode.Scalar?) -> Bool {
    scanner.skipBlanks()
    let start = scanner.place
    if let sign, scanner.next() == sign, scanner.next(1) == sign {
      scanner.place += 2
    } else if scanner.word().lowercased() != keyword.rawValue {
      scanner.place = start
      return false
    }
    scanner.skipBlanks()
    return true
  }

  private mutating func takeExclamation() -> Bool {
    guard scanner.next() == "!", scanner.next(1) != "=" else { return false }
    scanner.place += 1
    return true
  }
}
