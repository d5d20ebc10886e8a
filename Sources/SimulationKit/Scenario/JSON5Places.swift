/// Where in a JSON5 text its values stand, for messages that name a line, and where it stops being JSON5.
///
/// Foundation's reader tells neither on every platform. It is one pass over the bytes without recursion, whatever the
/// text.
package struct JSON5Places: Sendable {
  /// The problem with a text, and its place.
  package struct Fault: Hashable, Sendable {
    /// From 1.
    package let line: Int
    /// In characters, from 1.
    package let column: Int
    package let text: String
    /// True if it is JSON5 all the same, which has numbers that no double holds.
    var isRange = false

    /// The same as a sentence about the text.
    package var sentence: String { isRange ? text : "this is not JSON5: \(text)" }
  }

  /// The line of each value, from 1, by its place such as `limits[1].for`; of a name given twice the last one's.
  package private(set) var lines: [String: Int] = [:]
  /// The text before it in that line, as places in the bytes.
  private var indents: [String: Range<Int>] = [:]
  /// How many objects and lists lie in one another at most.
  package private(set) var depth = 0
  /// The first thing that is no JSON5, or that cannot be read of it; `nil` where nothing was found.
  package private(set) var fault: Fault?

  /// Places deeper than this are not kept.
  package static let deepest = 64

  private struct Container {
    let isObject: Bool
    let place: String
    var name: String?
    var index = 0
  }

  /// The tokens that may come next.
  private enum Expectation: String {
    case value = "expected a value"
    case valueOrEnd = "expected a value or ]"
    case nameOrEnd = "expected a name or }"
    case colon = "expected a colon"
    case commaOrEnd = "expected a comma"
    case nothing = "expected nothing more"
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// Where the line begins, and what is read in it.
  private var lineStart = 0
  private var tokenStart = 0
  private var containers: [Container] = []
  private var open = 0
  private var expectation = Expectation.value

  package init(_ text: String) {
    bytes = Array(text.utf8)
    while position < bytes.count { step() }
    if expectation != .nothing { fail(open == 0 ? "there is no value" : "the last { or [ is not closed") }
  }

  private mutating func fail(_ text: String, isRange: Bool = false) {
    if fault == nil, depth <= Self.deepest {
      fault = Fault(line: line, column: column(after: indent), text: text, isRange: isRange)
    }
  }

  /// The text in the line before the part being read.
  private var indent: Range<Int> { min(lineStart, tokenStart)..<tokenStart }

  private func column(after indent: Range<Int>) -> Int {
    String(decoding: bytes[indent], as: UTF8.self).count + 1
  }

  private mutating func endLine() {
    line += 1
    lineStart = position + 1
  }

  /// The line and the column of a value, or of what it would be a part of.
  package func location(of place: String) -> (line: Int, column: Int)? {
    var place = place[...]
    while lines[String(place)] == nil {
      guard let end = place.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
      place = place[..<end]
    }
    return lines[String(place)].flatMap { line in indents[String(place)].map { (line, column(after: $0)) } }
  }

  private mutating func step() {
    let byte = bytes[position]
    tokenStart = position
    switch byte {
    case UInt8(ascii: "\n"):
      endLine()
      position += 1
    case UInt8(ascii: "{"), UInt8(ascii: "["): enter(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): leave(isObject: byte == UInt8(ascii: "}"))
    case UInt8(ascii: ","): takeComma()
    case UInt8(ascii: ":"):
      if expectation != .colon { fail("there is an extra colon") }
      expectation = .value
      position += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let begin = (line, indent)
      take(word: quoted(until: byte), isQuoted: true, at: begin)
    case UInt8(ascii: "/"): comment()
    case 0x09, 0x0D, 0x20: position += 1
    default: take(word: bare(), isQuoted: false, at: (line, indent))
    }
  }

  // MARK: Objects and lists

  private mutating func enter(isObject: Bool) {
    if expectation != .value, expectation != .valueOrEnd { fail(expectation.rawValue) }
    note(at: (line, indent))
    position += 1
    open += 1
    depth = max(depth, open)
    expectation = isObject ? .nameOrEnd : .valueOrEnd
    guard open <= Self.deepest else { return }
    containers.append(Container(isObject: isObject, place: place))
  }

  private mutating func leave(isObject: Bool) {
    position += 1
    let fits = containers.last.map { $0.isObject == isObject } ?? false
    if expectation == .colon { fail(expectation.rawValue) }
    if !fits || expectation == .value {
      fail("there is an extra \(isObject ? "}" : "]")")
    }
    if open == containers.count, !containers.isEmpty { containers.removeLast() }
    open = max(0, open - 1)
    expectation = open == 0 ? .nothing : .commaOrEnd
  }

  private mutating func takeComma() {
    position += 1
    if expectation != .commaOrEnd { fail("there is an extra comma") }
    guard open == containers.count, !containers.isEmpty else { return }
    containers[containers.count - 1].name = nil
    containers[containers.count - 1].index += 1
    expectation = containers[containers.count - 1].isObject ? .nameOrEnd : .valueOrEnd
  }

  // MARK: Names and values

  /// A name where the object waits for one, a value elsewhere.
  private mutating func take(word: String, isQuoted: Bool, at begin: (line: Int, indent: Range<Int>)) {
    switch expectation {
    case .nameOrEnd:
      if !isQuoted, !Self.isName(word) { fail("'\(word)' is not a name") }
      if open == containers.count, !containers.isEmpty { containers[containers.count - 1].name = word }
      expectation = .colon
    case .value, .valueOrEnd:
      if !isQuoted, !Self.isValue(word) { fail("'\(word)' is not a value; strings need quotes") }
      if !isQuoted, Self.isHuge(word) { fail("\(word) is a number out of range", isRange: true) }
      expectation = open == 0 ? .nothing : .commaOrEnd
    case .colon, .commaOrEnd, .nothing: fail("\(expectation.rawValue) before '\(word)'")
    }
    note(at: begin)
  }

  private static func isName(_ word: String) -> Bool {
    word.first.map { $0.isLetter || $0 == "_" || $0 == "$" || $0 == "\\" } ?? false
  }

  private static func isValue(_ word: String) -> Bool {
    if ["true", "false", "null", "NaN", "Infinity"].contains(word) { return true }
    return word.first.map { $0.isASCII && ($0.isNumber || "+-.".contains($0)) } ?? false
  }

  /// True if a value is a number beyond every double.
  private static func isHuge(_ word: String) -> Bool {
    word.contains { $0.isNumber } && Double(word)?.isInfinite ?? false
  }

  /// The place of the value that begins here.
  private var place: String {
    guard let container = containers.last else { return "" }
    guard container.isObject else { return "\(container.place)[\(container.index)]" }
    let name = container.name ?? ""
    return container.place.isEmpty ? name : "\(container.place).\(name)"
  }

  private mutating func note(at begin: (line: Int, indent: Range<Int>)) {
    if open == containers.count, !containers.isEmpty {
      (lines[place], indents[place]) = (begin.line, begin.indent)
    }
  }

  // MARK: Words

  private mutating func quoted(until quote: UInt8) -> String {
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "\n") { fail("the string is not closed on its line") }
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
      if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { endLine() }
      position += 1
    }
    if position >= bytes.count { fail("the last string is not closed") }
    defer { position = min(bytes.count, position + 1) }
    return String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
  }

  private static let ends = Set("{}[],:\"'/\n\r\t ".utf8)

  private mutating func bare() -> String {
    let start = position
    while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func comment() {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch next {
    case UInt8(ascii: "/"):
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    case UInt8(ascii: "*"):
      position += 2
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), position + 1 < bytes.count,
          bytes[position + 1] == UInt8(ascii: "/")
        {
          position += 2
          return
        }
        if bytes[position] == UInt8(ascii: "\n") { endLine() }
        position += 1
      }
      fail("the last comment is not closed")
    default:
      fail("there is an extra /")
      position += 1
    }
  }
}
