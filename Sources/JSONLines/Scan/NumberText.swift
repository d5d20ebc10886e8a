/// Decodes the Base64 of a number eight characters at a time.
///
/// The Base64 of digits, signs, points and exponents never holds `+` or `/`, so three ranges of letters are all that
/// has to be told apart; a text with anything else is left to the general decoder.
enum NumberText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// How many bytes `decode` may write.
  static let capacity = 32

  /// Decodes `length` characters; -1 unless they are 4 to 32 characters of such Base64.
  ///
  /// - Parameters:
  ///   - text: Followed by at least 12 readable bytes.
  ///   - output: Room for `capacity` bytes; what is past the result's end is undefined.
  /// - Returns: How many characters were decoded.
  @inline(__always)
  static func decode(_ text: UnsafeRawPointer, length: Int, into output: UnsafeMutableRawPointer) -> Int {
    guard length & 3 == 0, length >= 4, length <= 32 else { return -1 }
    let last = text.loadUnaligned(fromByteOffset: length &- 2, as: UInt16.self)
    let padding = last == 0x3D3D ? 2 : last &>> 8 == 0x3D ? 1 : 0
    var invalid = SIMD2<UInt64>()
    // Eight characters are six; the two bytes that each word writes too many are written over by the next.
    let first = decode(text, 0, length, padding, &invalid)
    output.storeBytes(of: first[0].byteSwapped, as: UInt64.self)
    output.storeBytes(of: first[1].byteSwapped, toByteOffset: 6, as: UInt64.self)
    if length > 16 {
      let second = decode(text, 16, length, padding, &invalid)
      output.storeBytes(of: second[0].byteSwapped, toByteOffset: 12, as: UInt64.self)
      output.storeBytes(of: second[1].byteSwapped, toByteOffset: 18, as: UInt64.self)
    }
    return (invalid[0] | invalid[1]) & highs == 0 ? length &>> 2 &* 3 &- padding : -1
  }

  /// Twice six characters from sixteen of Base64, each six in the upper bytes of a word, the first on top.
  ///
  /// Top bits are set in `invalid` where one of the text's own characters is outside the letters and digits; what
  /// padding and the bytes behind the text turn into lies behind the result's end.
  @inline(__always)
  private static func decode(
    _ text: UnsafeRawPointer, _ start: Int, _ length: Int, _ padding: Int, _ invalid: inout SIMD2<UInt64>
  ) -> SIMD2<UInt64> {
    typealias Words = SIMD2<UInt64>
    let word = text.loadUnaligned(fromByteOffset: start, as: Words.self)
    let one = Words(repeating: ones)
    let letters = word &>> 6 & one
    let small = word &>> 5 & letters
    let isLetter = (letters &<< 8) &- letters
    let isSmall = (small &<< 8) &- small
    let order = word & Words(repeating: ones &* 0x1F)
    let letterFaults = (order &+ Words(repeating: ones &* 0x65)) | ~(order &+ Words(repeating: ones &* 0x7F))
    let digitFaults = (word ^ Words(repeating: ones &* 0x30)) &+ Words(repeating: ones &* 0x76)
    let faults = word | (letterFaults & isLetter) | (digitFaults & ~isLetter)
    invalid |= faults & Words(first(length &- padding &- start), first(length &- padding &- start &- 8))
    let offsets = (isLetter & Words(repeating: ones &* 69)) &+ (isSmall & Words(repeating: ones &* 6))
    let values = word &+ Words(repeating: ones &* 4) &- offsets
    let even = Words(repeating: 0x003F_003F_003F_003F)
    let pairs = (values & even) &<< 6 | values &>> 8 & even
    let lower = Words(repeating: 0x0000_0FFF_0000_0FFF)
    let fours = (pairs & lower) &<< 12 | pairs &>> 16 & lower
    return (fours &<< 24 | fours &>> 32) &<< 16
  }

  /// A mask of the first `count` bytes of a word; all of them from 8 on, none from 0 down.
  @inline(__always)
  private static func first(_ count: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: max(0, min(8, count)) &* 8)
    return ~(((~0 as UInt64) &<< (bits &>> 1)) &<< (bits &- bits &>> 1))
  }
}
