/// A string inside JSON bytes: where it lies between its quotes, and whether it has escapes to undo.
struct JSONText {
  let range: Range<Int>
  let hasEscapes: Bool

  /// Whether the bytes are well-formed UTF-8.
  func isUTF8(in bytes: UnsafeRawBufferPointer) -> Bool {
    String(validating: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self) != nil
  }

  /// Whether the string equals an ASCII word; a string with escapes is compared with them undone.
  @inline(__always)
  func equals(_ word: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
    guard !hasEscapes else {
      return unescaped(in: bytes).elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    guard range.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where bytes[range.lowerBound &+ index] != word.utf8Start[index] {
      return false
    }
    return true
  }

  /// The string as Swift's.
  func string(in bytes: UnsafeRawBufferPointer) -> String {
    hasEscapes
      ? String(decoding: unescaped(in: bytes), as: UTF8.self)
      : String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether every escape is one that JSON knows and surrogates come in pairs.
  func hasValidEscapes(in bytes: UnsafeRawBufferPointer) -> Bool {
    walk(bytes, plain: { _ in }, scalar: { _ in })
  }

  /// The UTF-8 of the string with its escapes undone.
  func unescaped(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    _ = walk(
      bytes, plain: { result.append($0) },
      scalar: { scalar in result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
    )
    return result
  }

  private func walk(
    _ bytes: UnsafeRawBufferPointer, plain: (UInt8) -> Void, scalar: (Unicode.Scalar) -> Void
  ) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        plain(byte)
        continue
      }
      guard index < range.upperBound else { return false }
      let sign = bytes[index]
      index += 1
      if sign == UInt8(ascii: "u") {
        guard let unit = escapedScalar(in: bytes, at: &index) else { return false }
        scalar(unit)
      } else {
        guard let meaning = Self.shortEscapes[sign] else { return false }
        plain(meaning)
      }
    }
    return true
  }

  private static let shortEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  /// The scalar of `\uXXXX` or of a pair of them; `index` stands behind the `u` and moves behind the escape.
  private func escapedScalar(in bytes: UnsafeRawBufferPointer, at index: inout Int) -> Unicode.Scalar? {
    guard let first = hexadecimal(in: bytes, at: &index) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 1 < range.upperBound, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let second = hexadecimal(in: bytes, at: &index), (0xDC00...0xDFFF).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private func hexadecimal(in bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt32? {
    guard index + 4 <= range.upperBound else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value
  }
}
