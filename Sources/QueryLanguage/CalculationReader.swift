import Codecs

/// Reads a calculation by recursive descent, as far as there is one.
///
/// Names may contain arithmetic operators, so an operator counts only between blanks, or inside a word that consists
/// only of figures and numbers: `p95 / p50` and `p95/p50`, but not `content-length`.
struct CalculationReader {
  var scanner: QueryScanner
  /// True on the right side of a comparison; on the left one, `2026-01-31` is a name.
  var isRight = false
  /// The first problem; an error only if this turns out to be a calculation.
  private(set) var problem: QueryError?
  /// Number of figures read, known or not.
  private(set) var figures = 0
  private(set) var signs = 0
  private(set) var groups = 0
  private var depth = 0

  init(_ scanner: QueryScanner) { self.scanner = scanner }

  /// Terms joined by `+` and `-`; `nil` if there is nothing to calculate.
  mutating func sum() -> Calculation? {
    chain([.plus, .minus]) { $0.chain([.times, .divided]) { $0.operand() } }
  }

  private mutating func chain(
    _ known: [ArithmeticOperator], _ part: (inout CalculationReader) -> Calculation?
  ) -> Calculation? {
    guard var result = part(&self) else { return nil }
    while let sign = takeSign(among: known) {
      guard let next = part(&self) else {
        note(.missingOperand(after: sign.rawValue), scanner.place..<scanner.place)
        return result
      }
      result = .operation(sign, result, next)
    }
    return result
  }

  // MARK: Operators

  /// Consumes an operator with the blanks around it.
  private mutating func takeSign(among known: [ArithmeticOperator]) -> ArithmeticOperator? {
    let start = scanner.place
    scanner.skipBlanks()
    guard let scalar = scanner.next(), let sign = ArithmeticOperator(rawValue: String(scalar)),
      known.contains(sign), scanner.place == start || isSign(sign)
    else {
      scanner.place = start
      return nil
    }
    signs += 1
    if signs == Query.deepest { note(.tooDeep, scanner.place..<(scanner.place + 1)) }
    scanner.place += 1
    scanner.skipBlanks()
    return signs < Query.deepest ? sign : nil
  }

  /// True if an operator follows the blank, and not the first character of a name or a pattern: `*_ms`, `/^api/`.
  private func isSign(_ sign: ArithmeticOperator) -> Bool {
    guard let next = scanner.next(1), !next.properties.isWhitespace else { return true }
    guard figures > 0 else { return false }
    if next == "(" { return sign != .divided }
    var ahead = scanner
    ahead.place += 1
    let pieces = CalculationWord(ahead.word())
    return pieces.isSplit && !pieces.endsInSign && (pieces.hasFigure || !sign.isProduct)
  }

  // MARK: Operands

  private mutating func operand() -> Calculation? {
    let start = scanner.place
    if scanner.next() == "(" { return group() }
    if scanner.next() == "-" || scanner.next() == "+", scanner.next(1) == "(" {
      let isNegative = scanner.next() == "-"
      scanner.place += 1
      return group().map { isNegative ? .negative($0) : $0 }
    }
    let word = scanner.word()
    guard !word.isEmpty, QueryKeyword(rawValue: word.lowercased()) == nil else {
      scanner.place = start
      return nil
    }
    let pieces = CalculationWord(word)
    guard pieces.isSplit, !pieces.hasSign || pieces.hasFigure || isRight || signs > 0,
      let piece = pieces.first
    else { return leaf(word, at: start) }
    scanner.place = start + piece.offset + piece.text.unicodeScalars.count
    let found = leaf(piece.text, at: start + piece.offset)
    return piece.isNegative ? .negative(found) : found
  }

  private mutating func group() -> Calculation? {
    let (start, isFirst) = (scanner.place, signs == 0 && !isRight)
    groups += 1
    guard depth < Query.deepest else {
      note(.tooDeep, start..<(start + 1))
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    scanner.place += 1
    scanner.skipBlanks()
    let inner = sum()
    scanner.skipBlanks()
    guard let inner else {
      note(.missingOperand(after: "("), scanner.place..<scanner.place)
      return nil
    }
    guard scanner.next() == ")" else {
      // Conditions may also be grouped.
      if isFirst { return nil }
      note(.unclosedGroup, start..<(start + 1))
      return inner
    }
    scanner.place += 1
    return inner
  }

  /// A number, or a figure of this or another metric.
  private mutating func leaf(_ text: String, at start: Int) -> Calculation {
    let range = start..<(start + text.unicodeScalars.count)
    if let figure = QueryFigure(rawValue: text.lowercased()) {
      figures += 1
      return .figure(figure)
    }
    let reference = QueryScanner.isPattern(text) ? nil : FigureReference(text)
    if let reference, reference.namesFigure {
      figures += 1
      return .other(reference)
    }
    do throws(Quantity.Fault) {
      return .number(try Quantity(text))
    } catch {
      if case .unknownUnit(let unit, let offset) = error {
        note(
          .unknownUnit(unit), (start + offset)..<range.upperBound,
          Suggestion.closest(to: unit, among: Quantity.unitNames))
      }
    }
    if let reference { return .other(reference) }
    if QueryScanner.looksLikePercentile(text) {
      figures += 1
      note(.unknownFigure(text), range, QueryParser.percentile(near: text))
    }
    note(.noFigure(text), range)
    return .figure(.now)
  }

  private mutating func note(_ code: QueryError.Code, _ range: Range<Int>, _ suggestion: String? = nil) {
    problem = problem ?? QueryError(code: code, range: range, suggestion: suggestion)
  }
}

/// A word, split at its operators if each piece is a figure or a number.
struct CalculationWord {
  struct Piece {
    let text: String
    /// Offset in the word, in Unicode scalars.
    let offset: Int
    /// True if a minus precedes it.
    let isNegative: Bool
  }

  private(set) var first: Piece?
  /// True if the word consists only of such pieces.
  private(set) var isSplit = false
  /// True if a piece is a figure.
  private(set) var hasFigure = false
  /// True if an operator is between pieces or after the last.
  private(set) var hasSign = false
  private(set) var endsInSign = false

  /// True if it reads as a calculation where a name is also possible.
  var isCalculation: Bool { isSplit && hasSign && hasFigure }
  /// True if it reads as a calculation before a comparison operator.
  var isComparedCalculation: Bool { isSplit && hasFigure && (hasSign || first?.offset ?? 0 > 0) }

  init(_ word: String) {
    let scalars = Array(word.unicodeScalars)
    var place = 0
    repeat {
      let start = place
      while place < scalars.count, place - start < 2, "+-".unicodeScalars.contains(scalars[place]) {
        place += 1
      }
      // A number includes its sign.
      let isDigit = place < scalars.count && (Self.isDigit(scalars[place]) || scalars[place] == ".")
      let begin = isDigit && place > start ? place - 1 : place
      let end = isDigit ? Self.endOfNumber(scalars, from: place) : Self.endOfName(scalars, from: place)
      let piece = Self.text(scalars[begin..<end])
      guard Self.isOperand(piece), begin - start < 2 else { return }
      let isNegative = begin > start && scalars[start] == "-"
      first = first ?? Piece(text: piece, offset: begin, isNegative: isNegative)
      hasFigure = hasFigure || (try? Quantity(piece)) == nil
      place = end
      guard place < scalars.count else { break }
      guard "+-*/".unicodeScalars.contains(scalars[place]) else { return }
      place += 1
      // The operand of an operator at the end of the word follows the blank.
      (hasSign, endsInSign) = (true, place == scalars.count)
    } while place < scalars.count
    isSplit = true
  }

  private static func isOperand(_ piece: String) -> Bool {
    if QueryFigure(rawValue: piece.lowercased()) != nil || QueryScanner.looksLikePercentile(piece) {
      return true
    }
    return (try? Quantity(piece)) != nil || FigureReference(piece)?.namesFigure ?? false
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func endOfName(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    scalars[start...].firstIndex { "+-*/".unicodeScalars.contains($0) } ?? scalars.count
  }

  /// The end of a number with its unit; the slash of `10/s` and the sign of `1e-3` belong to it.
  private static func endOfNumber(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    var end = endOfName(scalars, from: start)
    while end < scalars.count {
      let longer = endOfName(scalars, from: end + 1)
      guard (try? Quantity(text(scalars[start..<longer]))) != nil else { return end }
      end = longer
    }
    return end
  }
}
