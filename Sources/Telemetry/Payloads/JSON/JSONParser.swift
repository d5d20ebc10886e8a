/// Reads JSON values one after the other from bytes.
///
/// Foundation's readers do not serve here: on Linux a diagnostic of 15 MB takes them over ten seconds until it is in
/// Swift's types, and they tell no line and column.
struct JSONParser {
  /// As deep as Foundation reads too: twice the 130 frames that the system records in a stack take two levels each.
  static let nestingLimit = 512

  let bytes: [UInt8]
  var position = 0
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Whether nothing but blanks is left; passes them.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return position >= bytes.count
  }

  /// The value that begins here.
  mutating func next() throws(JSONSyntaxError) -> JSONValue {
    depth = 0
    return try value()
  }

  /// The byte here, or nil at the end.
  var byte: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(reason: position < bytes.count ? reason : .endsTooEarly, offset: position)
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    skipBlanks()
    guard let byte else { throw failure(.endsTooEarly) }
    switch byte {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONSyntaxError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONSyntaxError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure(.expected("a value"))
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Self.nestingLimit else { throw failure(.tooDeep) }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    var fields: [String: JSONValue] = [:]
    if try closes(with: UInt8(ascii: "}")) { return .object(fields) }
    while true {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw failure(.expected("a key")) }
      let key = try string()
      skipBlanks()
      guard byte == UInt8(ascii: ":") else { throw failure(.expected("a colon")) }
      position += 1
      fields[key] = try value()
      if try ends(with: UInt8(ascii: "}"), named: "a comma or }") { return .object(fields) }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    if try closes(with: UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value())
      if try ends(with: UInt8(ascii: "]"), named: "a comma or ]") { return .array(elements) }
    }
  }

  /// Whether it closes before it has anything in it.
  private mutating func closes(with closing: UInt8) throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    guard byte == closing else { return false }
    position += 1
    return true
  }

  /// Whether it ends here rather than goes on after a comma.
  private mutating func ends(with closing: UInt8, named name: String) throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    guard let byte, byte == closing || byte == UInt8(ascii: ",") else { throw failure(.expected(name)) }
    position += 1
    return byte == closing
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    let matches = word.withUTF8Buffer { letters in
      bytes[position...].prefix(letters.count).elementsEqual(letters)
    }
    guard matches else { throw failure(.expected("a value")) }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}
