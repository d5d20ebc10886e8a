/// Splits the text of a query into tokens; the parser decides what a word means in its place.
///
/// It works on Unicode scalars: a parenthesis with a combining mark is still a parenthesis.
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

  /// The next name, field, figure or keyword; empty if there is none.
  mutating func word() -> String {
    let start = place
    while let scalar = next(), !scalar.properties.isWhitespace, !"()\"<>=&|".unicodeScalars.contains(scalar),
      scalar != "!" || next(1) != "="
    {
      place += 1
    }
    return text(start..<place)
  }

  /// An unquoted value, which may contain operator characters: `/feed?page=2`.
  mutating func value() -> String {
    let start = place
    while let scalar = next(), !scalar.properties.isWhitespace, !"()\"".unicodeScalars.contains(scalar),
      !((scalar == "&" || scalar == "|") && next(1) == scalar)
    {
      place += 1
    }
    return text(start..<place)
  }

  /// The text in quotes, starting at the opening one; `nil` if it is not closed.
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

  /// The text between slashes, starting at the opening one; `nil` if it is not closed.
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

  /// The characters of an operator, known or not; empty if there are none.
  mutating func operatorSigns() -> String {
    let start = place
    while let scalar = next(), "<>=!~".unicodeScalars.contains(scalar) { place += 1 }
    return text(start..<place)
  }

  /// True if an operator follows; a lone `!` negates what follows.
  var isBeforeOperator: Bool {
    guard let scalar = next() else { return false }
    return "<>=".unicodeScalars.contains(scalar) || scalar == "!" && next(1) == "="
  }

  /// True if a word contains wildcards.
  static func isPattern(_ word: String) -> Bool { word.unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// True if a word looks like a percentile, such as `p90` or `p99.9`.
  static func looksLikePercentile(_ word: String) -> Bool {
    let rest = word.unicodeScalars.dropFirst()
    guard let first = word.unicodeScalars.first, first == "p" || first == "P", !rest.isEmpty else {
      return false
    }
    return rest.allSatisfy { ("0"..."9").contains($0) || $0 == "." }
  }
}
