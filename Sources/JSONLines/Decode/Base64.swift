/// Base64 (RFC 4648, standard alphabet, padded) for the scanner.
enum Base64 {
  /// The value of each byte, 0xFF for one outside the alphabet.
  static let values: [UInt8] = [
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 62, 255, 255, 255, 63,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 255, 255, 255, 255, 255, 255,
    255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 255, 255, 255, 255, 255,
    255, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  ]

  /// Appends the decoded bytes to `output`; `false`, with `output` as it was, if the text is no Base64.
  ///
  /// Bits of the last group that have no byte are ignored, as Foundation does.
  static func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    let count = text.count
    guard count % 4 == 0 else { return false }
    guard count > 0 else { return true }
    let padding = text[count - 1] != UInt8(ascii: "=") ? 0 : text[count - 2] != UInt8(ascii: "=") ? 1 : 2
    let start = output.count
    let bytes = count / 4 * 3 - padding
    output.append(contentsOf: repeatElement(0, count: bytes))
    let isValid = output.withUnsafeMutableBytes { all in
      let target = UnsafeMutableRawBufferPointer(rebasing: all[start...])
      return values.withUnsafeBufferPointer { decode(text, padding, into: target, $0) }
    }
    if !isValid { output.removeLast(bytes) }
    return isValid
  }

  /// Decodes Base64 as it stands between the quotes of a JSON string, where a slash may be written `\\/`.
  static func decode(escaped text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    guard text.contains(UInt8(ascii: "\\")) else { return decode(text, into: &output) }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isEscaped = false
    for byte in text {
      guard !isEscaped || byte == UInt8(ascii: "/") else { return false }
      isEscaped = byte == UInt8(ascii: "\\")
      if !isEscaped { plain.append(byte) }
    }
    return !isEscaped && plain.withUnsafeBytes { decode($0, into: &output) }
  }

  private static func decode(
    _ text: UnsafeRawBufferPointer, _ padding: Int, into target: UnsafeMutableRawBufferPointer,
    _ values: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var written = 0
    let full = text.count - (padding > 0 ? 4 : 0)
    var invalid: UInt8 = 0
    var index = 0
    while index < full {
      let (a, b) = (values[Int(text[index])], values[Int(text[index &+ 1])])
      let (c, d) = (values[Int(text[index &+ 2])], values[Int(text[index &+ 3])])
      invalid |= a | b | c | d
      target[written] = a &<< 2 | b &>> 4
      target[written &+ 1] = b &<< 4 | c &>> 2
      target[written &+ 2] = c &<< 6 | d
      written &+= 3
      index &+= 4
    }
    if padding > 0 {
      let (a, b) = (values[Int(text[full])], values[Int(text[full + 1])])
      let c = padding == 1 ? values[Int(text[full + 2])] : 0
      invalid |= a | b | c
      target[written] = a << 2 | b >> 4
      if padding == 1 { target[written + 1] = b << 4 | c >> 2 }
    }
    return invalid < 64
  }
}
