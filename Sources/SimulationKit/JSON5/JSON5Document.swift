package import Codecs
package import Essentials

/// A JSON5 text as a tree, with the locations of its values for error messages with line numbers.
///
/// If a name occurs twice, the first value counts.
package struct JSON5Document: Sendable {
  /// The first syntax error in a text, and its location.
  package struct Fault: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
    /// A description of the error.
    package let text: String
  }

  /// Maximum nesting depth of objects and arrays.
  package static let deepest = 64

  /// The tree.
  package let value: JSONValue
  private let marks: [String: JSON5Scanner.Mark]
  private let scalars: [Unicode.Scalar]

  /// Parses a text.
  package init(_ text: String) throws(Fault) {
    var parser = JSON5Parser(text)
    value = try parser.document()
    (marks, scalars) = (parser.marks, parser.scanner.scalars)
  }

  /// Parses the bytes of a text.
  package init(_ data: Data) throws(Fault) {
    guard let text = String(validating: data, as: UTF8.self) else {
      let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw Fault(line: line + 1, column: 1, text: "this is not valid UTF-8")
    }
    try self.init(text)
  }

  /// Line and column of a value by its path, such as `limits[1].for`, or of its nearest existing parent.
  package func location(of place: String) -> (line: Int, column: Int)? {
    var place = place[...]
    while true {
      if let mark = marks[String(place)] { return (mark.line, mark.column(in: scalars)) }
      if place.isEmpty { return nil }
      place = place[..<(place.lastIndex { $0 == "." || $0 == "[" } ?? place.startIndex)]
    }
  }
}

/// Builds the tree of a JSON5 text by recursive descent of limited depth.
struct JSON5Parser {
  var scanner: JSON5Scanner
  /// The start of each value, by its path.
  private(set) var marks: [String: JSON5Scanner.Mark] = [:]
  private var depth = 0

  init(_ text: String) { scanner = JSON5Scanner(text) }

  mutating func document() throws(JSON5Document.Fault) -> JSONValue {
    try scanner.skip()
    let value = try self.value(at: "", or: "expected a value")
    try scanner.skip()
    guard scanner.next == nil else { throw unexpected("expected nothing more") }
    return value
  }

  private mutating func value(at place: String, or expectation: String) throws(JSON5Document.Fault)
    -> JSONValue
  {
    if marks[place] == nil { marks[place] = scanner.mark }
    switch scanner.next {
    case "{": return .object(try object(at: place))
    case "[": return .array(try list(at: place))
    case "\"", "'": return .string(try scanner.quoted())
    case nil, "}", "]", ",", ":", "/": throw unexpected(expectation)
    default:
      let mark = scanner.mark
      return try scanner.value(of: scanner.word(), at: mark)
    }
  }

  private mutating func object(at place: String) throws(JSON5Document.Fault) -> [String: JSONValue] {
    try enter()
    var members: [String: JSONValue] = [:]
    while scanner.next != "}" {
      let name = try self.name()
      try scanner.skip()
      guard scanner.next == ":" else { throw unexpected("expected a colon", isColon: true) }
      scanner.advance()
      try scanner.skip()
      let inner = place.isEmpty ? name : "\(place).\(name)"
      let value = try self.value(at: inner, or: "expected a value")
      if members[name] == nil { members[name] = value }
      try separator(before: "}")
    }
    leave()
    return members
  }

  private mutating func list(at place: String) throws(JSON5Document.Fault) -> [JSONValue] {
    try enter()
    var values: [JSONValue] = []
    while scanner.next != "]" {
      values.append(try value(at: "\(place)[\(values.count)]", or: "expected a value or ]"))
      try separator(before: "]")
    }
    leave()
    return values
  }

  private mutating func enter() throws(JSON5Document.Fault) {
    guard depth < JSON5Document.deepest else {
      throw scanner.fault(
        "values are nested more than \(JSON5Document.deepest) levels deep", at: scanner.mark)
    }
    depth += 1
    scanner.advance()
    try scanner.skip()
  }

  private mutating func leave() {
    depth -= 1
    scanner.advance()
  }

  /// A comma, optionally trailing; otherwise the closing character must follow.
  private mutating func separator(before end: Unicode.Scalar) throws(JSON5Document.Fault) {
    try scanner.skip()
    if scanner.next == end { return }
    guard scanner.next == "," else { throw unexpected("expected a comma") }
    scanner.advance()
    try scanner.skip()
  }

  private mutating func name() throws(JSON5Document.Fault) -> String {
    switch scanner.next {
    case "\"", "'": return try scanner.quoted()
    case nil, "{", "[", "}", "]", ",", ":", "/": throw unexpected("expected a name or }")
    default:
      let mark = scanner.mark
      let word = scanner.word()
      guard let name = JSON5Scanner.identifier(word) else {
        throw scanner.invalid("'\(word)' is not a name", at: mark)
      }
      return name
    }
  }

  /// Describes an unexpected token.
  private mutating func unexpected(_ expectation: String, isColon: Bool = false) -> JSON5Document.Fault {
    let mark = scanner.mark
    switch scanner.next {
    case nil:
      return scanner.invalid(depth == 0 ? "there is no value" : "the last { or [ is not closed", at: mark)
    case "}" where !isColon, "]" where !isColon:
      return scanner.invalid("there is an extra \(scanner.next == "}" ? "}" : "]")", at: mark)
    case ",": return scanner.invalid("there is an extra comma", at: mark)
    case ":": return scanner.invalid("there is an extra colon", at: mark)
    case "/": return scanner.invalid("there is an extra /", at: mark)
    case "{", "[", "}", "]": return scanner.invalid(expectation, at: mark)
    case "\"", "'":
      guard let text = try? scanner.quoted() else { return scanner.invalid(expectation, at: mark) }
      return scanner.invalid("\(expectation) before '\(text)'", at: mark)
    default: return scanner.invalid("\(expectation) before '\(scanner.word())'", at: mark)
    }
  }
}
