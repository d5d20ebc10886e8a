/// Writes UTF-16 as UTF-8, piece by piece; half a surrogate pair becomes U+FFFD.
struct UTF16Decoder {
  private let isBigEndian: Bool
  private var isAtStart = true
  /// The first byte of a unit whose second one has not arrived.
  private var half: UInt8?
  /// The first unit of a surrogate pair.
  private var lead: UInt16?

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Appends the next bytes; a byte order mark at the start is left out.
  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      if isAtStart, unit == 0xFEFF {
        isAtStart = false
        continue
      }
      isAtStart = false
      take(unit, into: &output)
    }
  }

  private mutating func take(_ unit: UInt16, into output: inout [UInt8]) {
    if let first = lead {
      lead = nil
      if UTF16.isTrailSurrogate(unit) {
        let value = 0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(unit & 0x3FF)
        return append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &output)
      }
      append("\u{FFFD}", to: &output)
    }
    if UTF16.isLeadSurrogate(unit) {
      lead = unit
    } else if unit < 0x80 {
      output.append(UInt8(truncatingIfNeeded: unit))
    } else {
      append(Unicode.Scalar(unit) ?? "\u{FFFD}", to: &output)
    }
  }

  /// Appends what is left of an incomplete character.
  mutating func finish(into output: inout [UInt8]) {
    if lead != nil || half != nil { append("\u{FFFD}", to: &output) }
    (lead, half) = (nil, nil)
  }

  private func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
