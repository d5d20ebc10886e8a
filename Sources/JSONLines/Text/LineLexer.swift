import Codecs

/// A JSON scalar lexer over raw memory that reads words of eight bytes.
///
/// Never reads past `count`. Each method takes a start position and returns an end position.
struct LineLexer {
  let base: UnsafeRawPointer
  let count: Int
  /// Set once a string has non-ASCII bytes, which still have to be validated as UTF-8.
  private(set) var hasWideText = false
  /// Shapes of objects without repeated members; `nil` to look for none.
  private let shapes: UnsafePointer<UInt64>?
  /// Set once an object may have repeated members.
  private(set) var hasNewShape = false
  /// Set once a text in an object or an array may be a number or a duration.
  var hasQuotedNumber = false
  /// Set once a number does not fit a double.
  private(set) var hasOverflow = false

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Fails for an empty buffer.
  ///
  /// - Parameter shapes: Known shapes; must stay in place.
  init?(_ line: UnsafeRawBufferPointer, shapes: UnsafePointer<UInt64>? = nil) {
    guard let base = line.baseAddress, !line.isEmpty else { return nil }
    (self.base, count, self.shapes) = (base, line.count, shapes)
  }

  /// Adds a name to a shape.
  @inline(__always)
  func add(_ name: Range<Int>, to shape: inout ObjectShape) {
    let start = base + name.lowerBound
    shape.add(MemberRole.Words(start, count: name.count, readable: count &- name.lowerBound), start)
  }

  /// Notes the shape of an object that was read.
  @inline(__always)
  mutating func note(_ shape: ObjectShape) {
    if let shapes, !shape.isKnown(shapes) { hasNewShape = true }
  }

  @inline(__always)
  func byte(_ place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

  /// True if all strings are valid UTF-8; call it after the whole line was read.
  var isUTF8: Bool {
    !hasWideText
      || String(validating: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self) != nil
  }

  /// The first position from `start` on that is not white space; `nil` at the end.
  @inline(__always)
  func skipSpace(_ start: Int) -> Int? {
    var position = start
    while position < count, case let byte = byte(position), byte <= 0x20 {
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return position }
      position &+= 1
    }
    return position < count ? position : nil
  }

  /// Reads a string, from after its opening quote to its closing one.
  @inline(__always)
  mutating func text(_ start: Int) -> (end: Int, hasEscapes: Bool)? {
    var position = start
    while position &+ 8 <= count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quote = word ^ Self.ones &* 0x22
      let backslash = word ^ Self.ones &* 0x5C
      let special =
        (((quote &- Self.ones) & ~quote) | ((backslash &- Self.ones) & ~backslash)
          | ((word &- Self.ones &* 0x20) & ~word)) & Self.highs
      // Bytes past the end of the string count too; the check that follows is then only stricter.
      if word & Self.highs != 0 { hasWideText = true }
      if special != 0 {
        position &+= special.trailingZeroBitCount &>> 3
        break
      }
      position &+= 8
    }
    if position < count, byte(position) == UInt8(ascii: "\"") { return (position, false) }
    return oddText(start, position)
  }

  /// Continues where there is an escape, or near the end of the line.
  @inline(never)
  private mutating func oddText(_ start: Int, _ from: Int) -> (end: Int, hasEscapes: Bool)? {
    var position = from
    while position < count {
      let byte = byte(position)
      if byte == UInt8(ascii: "\"") { return (position, false) }
      if byte == UInt8(ascii: "\\") {
        var tokenizer = JSONTokenizer(UnsafeRawBufferPointer(start: base, count: count), at: start &- 1)
        guard tokenizer.string() != nil else { return nil }
        return (tokenizer.position &- 1, true)
      }
      guard byte >= 0x20 else { return nil }
      if byte >= 0x80 { hasWideText = true }
      position &+= 1
    }
    return nil
  }

  /// Notes a text that begins with a digit or a sign if it may be a number or a duration.
  @inline(never)
  private mutating func noteNumber(_ start: Int) {
    var (position, points) = (start &+ 1, 0)
    // The closing quote ends it.
    while byte(position) &- UInt8(ascii: "0") < 10 || byte(position) == UInt8(ascii: "."), points < 2 {
      if byte(position) == UInt8(ascii: ".") { points &+= 1 }
      position &+= 1
    }
    // A quote, a space, or the letter of a unit; no date, address or version.
    let next = byte(position)
    if next == UInt8(ascii: "\"") || next == 0x20 || next | 0x20 >= UInt8(ascii: "a") {
      hasQuotedNumber = true
    }
  }

  /// The end of a number; `nil` if it is not valid JSON.
  @inline(__always)
  mutating func numberEnd(_ start: Int) -> Int? {
    var position = start
    func next() -> UInt8 { position < count ? byte(position) : 0 }
    func digits() -> Int {
      let from = position
      while next() &- UInt8(ascii: "0") < 10 { position &+= 1 }
      return position &- from
    }
    if next() == UInt8(ascii: "-") { position &+= 1 }
    let first = next()
    let whole = digits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return nil }
    if next() == UInt8(ascii: ".") {
      position &+= 1
      guard digits() > 0 else { return nil }
    }
    if next() | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if next() == UInt8(ascii: "+") || next() == UInt8(ascii: "-") { position &+= 1 }
      let exponent = digits()
      guard exponent > 0 else { return nil }
      if exponent > 2 { noteOverflow(start..<position) }
    }
    return position
  }

  /// True if a text is a number of JSON.
  static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    var lexer = LineLexer(text)
    return lexer?.numberEnd(0) == text.count
  }

  @inline(never)
  private mutating func noteOverflow(_ digits: Range<Int>) {
    let text = UnsafeRawBufferPointer(start: base + digits.lowerBound, count: digits.count)
    if PlainNumber.double(text)?.isInfinite == true { hasOverflow = true }
  }

  /// The end of a value of any kind, contents included.
  mutating func valueEnd(_ start: Int, depth: Int = 0) -> Int? {
    switch byte(start) {
    case UInt8(ascii: "\""):
      guard let text = text(start &+ 1) else { return nil }
      let first = byte(start &+ 1)
      if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") { noteNumber(start &+ 1) }
      return text.end &+ 1
    case UInt8(ascii: "{"): return containerEnd(start, UInt8(ascii: "}"), depth: depth)
    case UInt8(ascii: "["): return containerEnd(start, UInt8(ascii: "]"), depth: depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return numberEnd(start)
    default: return wordEnd(start)
    }
  }

  private mutating func containerEnd(_ start: Int, _ closing: UInt8, depth: Int) -> Int? {
    guard depth < JSONTokenizer.nestingLimit, var position = skipSpace(start &+ 1) else { return nil }
    if byte(position) == closing { return position &+ 1 }
    var shape = ObjectShape()
    while true {
      if closing == UInt8(ascii: "}") {
        guard let key = keyEnd(position) else { return nil }
        if shapes != nil { add(position &+ 1..<key.end, to: &shape) }
        position = key.value
      }
      guard let end = valueEnd(position, depth: depth &+ 1), let sign = skipSpace(end) else { return nil }
      if byte(sign) == closing {
        if closing == UInt8(ascii: "}") { note(shape) }
        return sign &+ 1
      }
      guard byte(sign) == UInt8(ascii: ","), let next = skipSpace(sign &+ 1) else { return nil }
      position = next
    }
  }

  /// Reads a quoted key and the colon after it.
  ///
  /// - Returns: The end of the key, whether it has escapes, and the start of its value.
  @inline(__always)
  mutating func keyEnd(_ start: Int) -> (end: Int, hasEscapes: Bool, value: Int)? {
    guard byte(start) == UInt8(ascii: "\""), let key = text(start &+ 1), let colon = skipSpace(key.end &+ 1),
      byte(colon) == UInt8(ascii: ":"), let value = skipSpace(colon &+ 1)
    else { return nil }
    return (key.end, key.hasEscapes, value)
  }

  /// The end of `true`, `false` or `null`.
  func wordEnd(_ start: Int) -> Int? {
    for word in ["true", "false", "null"] as [StaticString] where start &+ word.utf8CodeUnitCount <= count {
      let text = UnsafeRawBufferPointer(start: base + start, count: word.utf8CodeUnitCount)
      if text.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) {
        return start + word.utf8CodeUnitCount
      }
    }
    return nil
  }
}
