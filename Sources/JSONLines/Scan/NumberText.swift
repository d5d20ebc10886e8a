/// The Base64 of a number, decoded eight characters at a time into words.
///
/// The Base64 of digits, signs, points and exponents never holds `+` or `/`, so three ranges of letters are all that
/// has to be told apart; a text with anything else is left to the general decoder.
struct NumberText {
  /// The decoded characters, the first in the lowest byte; what is past `count` is undefined.
  let words: (UInt64, UInt64, UInt64)
  /// How many characters were decoded.
  let count: Int

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Decodes `length` characters at `text`; `nil` unless they are 4 to 32 characters of such Base64.
  ///
  /// Reads up to 7 bytes past the end, which must be readable.
  @inline(__always)
  init?(_ text: UnsafeRawPointer, length: Int) {
    guard length & 3 == 0, length >= 4, length <= 32 else { return nil }
    let last = text.loadUnaligned(fromByteOffset: length &- 2, as: UInt16.self)
    let padding = last == 0x3D3D ? 2 : last &>> 8 == 0x3D ? 1 : 0
    var pieces: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var invalid: UInt64 = 0
    pieces.0 = Self.decode(text, 0, length, padding, &invalid)
    if length > 8 { pieces.1 = Self.decode(text, 8, length, padding, &invalid) }
    if length > 16 { pieces.2 = Self.decode(text, 16, length, padding, &invalid) }
    if length > 24 { pieces.3 = Self.decode(text, 24, length, padding, &invalid) }
    guard invalid & Self.highs == 0 else { return nil }
    words.0 = pieces.0 | pieces.1 &<< 48
    words.1 = pieces.1 &>> 16 | pieces.2 &<< 32
    words.2 = pieces.2 &>> 32 | pieces.3 &<< 16
    count = length &>> 2 &* 3 &- padding
  }

  /// Six characters from eight of Base64; top bits are set in `invalid` where one is outside the letters and digits.
  @inline(__always)
  private static func decode(
    _ text: UnsafeRawPointer, _ start: Int, _ length: Int, _ padding: Int, _ invalid: inout UInt64
  ) -> UInt64 {
    var word = text.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    let left = length &- start
    if left <= 8 {
      // What is missing of the last eight, and the padding, counts as `A`, which stands for zero bits.
      if left == 4 { word = word & 0xFFFF_FFFF | 0x4141_4141_0000_0000 }
      let filler: UInt64 = padding == 2 ? 0x7C7C : padding == 1 ? 0x7C00 : 0
      word ^= filler &<< UInt64(truncatingIfNeeded: (left &- 2) &* 8)
    }
    let letters = word &>> 6 & ones
    let small = word &>> 5 & letters
    let lettersMask = letters &* 0xFF
    let order = word & (ones &* 0x1F)
    let letterFaults = (order &+ ones &* 0x65) | ~(order &+ ones &* 0x7F)
    let digitFaults = (word ^ ones &* 0x30) &+ ones &* 0x76
    invalid |= word | (letterFaults & lettersMask) | (digitFaults & ~lettersMask)
    let values = word &+ ones &* 4 &- letters &* 69 &- small &* 6
    let pairs = (values & 0x003F_003F_003F_003F) &<< 6 | values &>> 8 & 0x003F_003F_003F_003F
    let fours = (pairs & 0x0000_0FFF_0000_0FFF) &<< 12 | pairs &>> 16 & 0x0000_0FFF_0000_0FFF
    return ((fours &<< 24 | fours &>> 32) &<< 16).byteSwapped
  }
}
