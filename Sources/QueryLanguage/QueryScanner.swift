/// Splits the text of a query; the meaning of a word depends on its place, which the parser knows.
///
/// It works on Unicode scalars: a combining mark does not change what a parenthesis is.
struct QueryScanner {
  let scalars: [Unicode.Scalar]
  var place = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var isAtEnd: Bool { place >= scalars.count }

  /// The next scalar, or the one `offset` places after it.
  func next(_ offset: Int = 0) -> Unicode.Scalar? {
    place + offset < scalars.count ? scalars[place + offset] : nil
  }

  func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  mutating func skipBlanks() {
    while let scalar = next(), scalar.properties.isWhitespace { place += 1 }
  }

  /// The word of a name, a field, a figure or a keyword; empty where there is none.
  mutating func word() -> String {
    let start = place
    while let scalar = next(), !scalar.properties.isWhitespace, !"()\"<>=&|".unicodeScalars.contains(scalar),
      scalar != "!" || next(1) != "="
    {
      place += 1
    }
    return text(start..<place)
  }

  /// A value without quotes, which may hold the signs of operators: `/feed?page=2`.
  mutating func value() -> String {
    let start = place
    while let scalar = next(), !scalar.properties.isWhitespace, !"()\"".unicodeScalars.contains(scalar),
      !((scalar == "&" || scalar == "|") && next(1) == scalar)
    {
      place += 1
    }
    return text(start..<place)
  }

  /// The text in quotes, the first of which is next; `nil` if they are not closed.
  mutating func quoted() -> String? {
    var result = String.UnicodeScalarView()
    place += 1
    while let scalar = next() {
      place += 1
      if scalar == "\"" { return String(result) }
      if scalar == "\\", let escaped = next(), escaped == "\"" || escaped == "\\" {
        result.append(escaped)
        place += 1
      } else {
        result.append(scalar)
      }
    }
    return nil
  }

  /// The text between slashes, the first of which is next; `nil` if they are not closed.
  mutating func expression() -> String? {
    place += 1
    let start = place
    while let scalar = next() {
      if scalar == "/" {
        place += 1
        return text(start..<(place - 1))
      }
      place += scalar == "\\" && next(1) != nil ? 2 : 1
    }
    return nil
  }

  /// The signs of an operator, known or not; empty where there are none.
  mutating func operatorSigns() -> String {
    let start = place
    while let scalar = next(), "<>=!~".unicodeScalars.contains(scalar) { place += 1 }
    return text(start..<place)
  }

  /// True if an operator is next; a lone `!` denies what follows.
  var isBeforeOperator: Bool {
    guard let scalar = next() else { return false }
    return "<>=".unicodeScalars.contains(scalar) || scalar == "!" && next(1) == "="
  }

  /// True if a word holds signs that stand for others.
  static func isPattern(_ word: String) -> Bool { word.unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// True if a word is spelled as percentiles are, such as `p90` or `p99.9`.
  static func looksLikePercentile(_ word: String) -> Bool {
    let rest = word.unicodeScalars.dropFirst()
    guard let first = word.unicodeScalars.first, first == "p" || first == "P", !rest.isEmpty else {
      return false
    }
    return rest.allSatisfy { ("0"..."9").contains($0) || $0 == "." }
  }
}
