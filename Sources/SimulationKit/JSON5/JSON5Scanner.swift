import Codecs
import Essentials

/// Scans the words, strings and numbers of a JSON5 text, and skips what is in between.
struct JSON5Scanner: Sendable {
  /// A location in the text.
  struct Mark: Sendable {
    /// The line, from 1.
    let line: Int
    fileprivate let lineStart: Int
    fileprivate let position: Int

    /// The column in characters, from 1.
    func column(in scalars: [Unicode.Scalar]) -> Int {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[min(lineStart, position)..<position])
      return String(text).count + 1
    }
  }

  let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next character; `nil` at the end.
  var next: Unicode.Scalar? { peek(0) }

  /// The current location.
  var mark: Mark { Mark(line: line, lineStart: lineStart, position: position) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  /// Skips a character; a line break starts a new line.
  mutating func advance() {
    let isBreak = next == "\n" || next == "\r" && peek(1) != "\n"
    position += 1
    if isBreak { (line, lineStart) = (line + 1, position) }
  }

  func fault(_ text: String, at mark: Mark) -> JSON5Document.Fault {
    JSON5Document.Fault(line: mark.line, column: mark.column(in: scalars), text: text)
  }

  func invalid(_ text: String, at mark: Mark) -> JSON5Document.Fault {
    fault("this is not JSON5: \(text)", at: mark)
  }

  // MARK: Between tokens

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    isLineBreak(scalar) || ["\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}"].contains(scalar)
      || !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator
  }

  /// Skips white space and comments.
  mutating func skip() throws(JSON5Document.Fault) {
    while let scalar = next {
      if scalar == "/", peek(1) == "/" {
        while let scalar = next, !Self.isLineBreak(scalar) { advance() }
      } else if scalar == "/", peek(1) == "*" {
        try skipComment()
      } else if Self.isSpace(scalar) {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(JSON5Document.Fault) {
    for _ in 0..<2 { advance() }
    while next != "*" || peek(1) != "/" {
      guard next != nil else { throw invalid("the last comment is not closed", at: mark) }
      advance()
    }
    for _ in 0..<2 { advance() }
  }

  // MARK: Words

  /// All characters up to one that cannot be part of a word.
  mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = next, !"{}[],:\"'/".unicodeScalars.contains(scalar), !Self.isSpace(scalar) {
      word.append(scalar)
      advance()
    }
    return String(word)
  }

  /// An unquoted name with its escapes resolved; `nil` if it is not valid.
  static func identifier(_ word: String) -> String? {
    var scanner = JSON5Scanner(word)
    var name = String.UnicodeScalarView()
    while let scalar = scanner.next {
      scanner.advance()
      var part = scalar
      if scalar == "\\" {
        guard scanner.next == "u" else { return nil }
        scanner.advance()
        guard let escaped = scanner.hexadecimal(4).flatMap(Unicode.Scalar.init) else { return nil }
        part = escaped
      }
      guard part == "_" || part == "$" || part.properties.isIDStart || !name.isEmpty && isRest(part) else {
        return nil
      }
      name.append(part)
    }
    return String(name)
  }

  private static func isRest(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  // MARK: Strings

  mutating func quoted() throws(JSON5Document.Fault) -> String {
    let start = mark
    let quote = next
    var text = String.UnicodeScalarView()
    advance()
    while let scalar = next, scalar != quote {
      switch scalar {
      case "\n", "\r": throw invalid("the string is not closed on its line", at: start)
      case "\0": throw invalid("a string cannot hold a character 0", at: mark)
      case "\\": try escape(into: &text)
      default:
        text.append(scalar)
        advance()
      }
    }
    guard next != nil else { throw invalid("the last string is not closed", at: start) }
    advance()
    return String(text)
  }

  private mutating func escape(into text: inout String.UnicodeScalarView) throws(JSON5Document.Fault) {
    let start = mark
    advance()
    guard let scalar = next else { return }
    let isBroken = scalar == "\r" && peek(1) == "\n"
    advance()
    switch scalar {
    case "b": text.append("\u{8}")
    case "f": text.append("\u{C}")
    case "n": text.append("\n")
    case "r": text.append("\r")
    case "t": text.append("\t")
    case "v": text.append("\u{B}")
    case "u", "x":
      guard let code = scalar == "u" ? unit() : hexadecimal(2), let result = Unicode.Scalar(code) else {
        throw invalid(
          "\\\(scalar) needs \(scalar == "u" ? "four" : "two") digits that name a character", at: start)
      }
      text.append(result)
    case "0"..."9":
      guard scalar == "0", !(next.map { ("0"..."9").contains($0) } ?? false) else {
        throw invalid("a digit cannot be escaped", at: start)
      }
      text.append("\0")
    // A line continuation.
    case "\n", "\r", "\u{2028}", "\u{2029}": if isBroken { advance() }
    default: text.append(scalar)
    }
  }

  /// The character of a four-digit escape, or of a surrogate pair of two.
  private mutating func unit() -> UInt32? {
    guard let high = hexadecimal(4) else { return nil }
    guard (0xD800..<0xDC00).contains(high) else { return high }
    guard next == "\\", peek(1) == "u" else { return nil }
    for _ in 0..<2 { advance() }
    guard let low = hexadecimal(4), (0xDC00..<0xE000).contains(low) else { return nil }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    var code: UInt32 = 0
    for _ in 0..<count {
      guard let digit = next.flatMap({ $0.isASCII ? Character($0).hexDigitValue : nil }) else { return nil }
      code = code << 4 | UInt32(digit)
      advance()
    }
    return code
  }

  // MARK: Unquoted values

  /// The value of a word.
  func value(of word: String, at mark: Mark) throws(JSON5Document.Fault) -> JSONValue {
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: break
    }
    let isNegative = word.first == "-"
    let digits = isNegative || word.first == "+" ? String(word.dropFirst()) : word
    let sign = isNegative ? -1.0 : 1
    if digits == "Infinity" { return .number(sign * .infinity) }
    if digits == "NaN" { return .number(.nan) }
    guard let first = word.unicodeScalars.first,
      ("0"..."9").contains(first) || "+-.".unicodeScalars.contains(first)
    else { throw invalid("'\(word)' is not a value; strings need quotes", at: mark) }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard isHexadecimal ? digits.dropFirst(2).isHexadecimal : digits.isDecimal else {
      throw invalid("'\(word)' is not a number", at: mark)
    }
    // Integers are exact up to 64 bits.
    let (text, radix) = isHexadecimal ? (String(digits.dropFirst(2)), 16) : (digits, 10)
    if let whole = Int64((isNegative ? "-" : "") + text, radix: radix) { return .integer(whole) }
    let magnitude = isHexadecimal ? UInt64(text, radix: 16).map { Double($0) } : Double("0" + text.closed)
    guard let magnitude, magnitude.isFinite else { throw fault("\(word) is a number out of range", at: mark) }
    return Int64(exactly: sign * magnitude).map(JSONValue.integer) ?? .number(sign * magnitude)
  }
}

extension StringProtocol {
  fileprivate var isHexadecimal: Bool { !isEmpty && allSatisfy { $0.isASCII && $0.isHexDigit } }
  private var isDigits: Bool { allSatisfy { ("0"..."9").contains($0) } }

  /// True for a decimal number, with or without a point and an exponent.
  fileprivate var isDecimal: Bool {
    let halves = split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    if halves.count == 2 {
      let exponent = halves[1].first.map { "+-".contains($0) } ?? false ? halves[1].dropFirst() : halves[1]
      guard !exponent.isEmpty, exponent.isDigits else { return false }
    }
    let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy(\.isDigits), parts.contains(where: { !$0.isEmpty }) else { return false }
    return parts[0].count < 2 || parts[0].first != "0"
  }

  /// The same number with a digit after its point.
  fileprivate var closed: String {
    guard let point = firstIndex(of: ".") else { return String(self) }
    let behind = index(after: point)
    let isOpen = behind == endIndex || !("0"..."9").contains(self[behind])
    return isOpen ? self[..<behind] + "0" + self[behind...] : String(self)
  }
}
