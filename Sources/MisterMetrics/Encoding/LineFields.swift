/// Where the parts of one line are, when the line has the shape that this package and the original write.
///
/// Only plain ASCII texts without escapes are taken (and `\/` in the value); every other line is left to Foundation's
/// decoder, so the short way never decides what is an entry and what is not.
struct LineFields {
  private(set) var bucket: Range<Int>?
  private(set) var name = 0..<0
  private(set) var valueType = 0..<0
  private(set) var timestamp = 0.0
  private(set) var value = 0..<0
  private(set) var isValueEscaped = false

  /// Finds the parts, or `nil` for any other shape.
  init?(_ line: UnsafeRawBufferPointer) {
    var scan = Scan(bytes: line)
    guard scan.skip(#"{"metric":{"#) else { return nil }
    if scan.skip(#""bucket":""#) {
      guard let text = scan.text(), scan.skip(",") else { return nil }
      bucket = text
    }
    guard scan.skip(#""name":""#), let name = scan.text(),
      scan.skip(#","valueTypeString":""#), let valueType = scan.text(),
      scan.skip(#"},"timestamp":"#), let timestamp = scan.number(),
      scan.skip(#","value":""#), let value = scan.base64(), scan.skip("}"), scan.isAtEnd
    else { return nil }
    self.name = name
    self.valueType = valueType
    self.timestamp = timestamp
    self.value = value.range
    isValueEscaped = value.isEscaped
  }
}

/// A position in a line, moving forward only.
private struct Scan {
  let bytes: UnsafeRawBufferPointer
  var index = 0

  var isAtEnd: Bool {
    index == bytes.count || (index == bytes.count - 1 && bytes[index] == UInt8(ascii: "\r"))
  }

  mutating func skip(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard bytes.count - index >= count else { return false }
    for offset in 0..<count where bytes[index + offset] != expected.utf8Start[offset] { return false }
    index += count
    return true
  }

  /// A text up to its closing quote, which is skipped.
  mutating func text() -> Range<Int>? {
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        defer { index += 1 }
        return start..<index
      }
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
      index += 1
    }
    return nil
  }

  /// A text in which `\/` may stand.
  mutating func base64() -> (range: Range<Int>, isEscaped: Bool)? {
    let start = index
    var isEscaped = false
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") else { return nil }
        isEscaped = true
        index += 1
      }
      index += 1
    }
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    return (start..<index, isEscaped)
  }

  /// Digits, with one point or none.
  mutating func number() -> Double? {
    let start = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let whole = index
    guard skipDigits() else { return nil }
    if index - whole > 1, bytes[whole] == UInt8(ascii: "0") { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() else { return nil }
    }
    guard index - start <= 32 else { return nil }
    return Double(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index > start
  }
}
