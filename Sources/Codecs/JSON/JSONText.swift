/// A string in JSON bytes: the contents of its quotes, validated by a ``JSONTokenizer``.
package struct JSONText {
  /// The bytes as written, including escapes.
  package let written: UnsafeRawBufferPointer
  package let hasEscapes: Bool

  /// True if the bytes are valid UTF-8.
  var isUTF8: Bool { String(validating: written, as: UTF8.self) != nil }

  /// True if the string is ASCII without escapes, so that equal strings have equal bytes.
  package var isPlainASCII: Bool { !hasEscapes && written.allSatisfy { $0 < 0x80 } }

  /// True if the string equals an ASCII word.
  @inline(__always)
  package func equals(_ word: StaticString) -> Bool {
    equals(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// True if the string equals UTF-8 text.
  package func equals(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !hasEscapes else { return unescaped.elementsEqual(utf8) }
    guard written.count == utf8.count else { return false }
    for index in 0..<utf8.count where written[index] != utf8[index] { return false }
    return true
  }

  /// The string as a Swift string; invalid UTF-8 becomes U+FFFD.
  package var string: String {
    hasEscapes ? String(decoding: unescaped, as: UTF8.self) : String(decoding: written, as: UTF8.self)
  }

  /// The string as unescaped UTF-8; unpaired surrogates become U+FFFD.
  package var unescaped: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(written.count)
    var index = 0
    while index < written.count {
      let byte = written[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < written.count else {
        result.append(byte)
        continue
      }
      let sign = written[index]
      index += 1
      if sign == UInt8(ascii: "u") {
        result.append(contentsOf: String(scalar(at: &index)).utf8)
      } else {
        result.append(Self.shortEscape(sign) ?? sign)
      }
    }
    return result
  }

  /// The scalar of `\uXXXX` or of a surrogate pair; `index` is after the `u` and moves past the escape.
  private func scalar(at index: inout Int) -> Unicode.Scalar {
    let first = unit(at: index)
    index += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), index + 6 <= written.count, written[index] == UInt8(ascii: "\\"),
      written[index + 1] == UInt8(ascii: "u"), case let second = unit(at: index + 2),
      UTF16.isTrailSurrogate(second)
    else { return "\u{FFFD}" }
    index += 6
    return Unicode.Scalar(0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF)) ?? "\u{FFFD}"
  }

  private func unit(at index: Int) -> UInt16 {
    written.dropFirst(index).prefix(4).reduce(0) { $0 << 4 | (Self.hexDigit($1) ?? 0) }
  }

  /// The character for a letter after a backslash; `nil` if JSON does not define it.
  static func shortEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte &- UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte &- UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
