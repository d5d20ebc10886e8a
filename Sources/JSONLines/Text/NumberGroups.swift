/// Decodes a number directly from its Base64, four characters at a time, without storing the decoded bytes.
///
/// Four characters are three bytes. A table gives the bits that each character contributes; the low nibbles of the
/// three bytes together index a table of meanings: digits, a point, a sign, padding. The high nibbles must be the ones
/// those characters have.
struct NumberGroups {
  /// Maximum length, in groups of four Base64 characters.
  private static let longest = 8
  /// Bytes that must be readable from the start of the text.
  static let room = longest * 4 + 4

  private static let pointFlags: UInt64 = 0x0707_0707_0707_0707
  private static let signFlags: UInt64 = 0x0808_0808_0808_0808
  private static let paddingFlags: UInt64 = 0x3030_3030_3030_3030

  /// `NumberGroupTables.letters`: 256 words for each of the four positions.
  let letters: UnsafePointer<UInt32>
  /// `NumberGroupTables.groups`.
  let groups: UnsafePointer<UInt64>
  /// `PowersOfFive.words`.
  let powers: UnsafePointer<UInt64>

  /// A number, with the count of Base64 characters read.
  struct Found {
    let value: Double
    let length: Int
  }

  /// Reads up to the first character that cannot belong to a number; `nil` if the result is not a JSON number without
  /// an exponent, or a whole number that does not fit a double.
  ///
  /// - Parameter text: Followed by at least `room` readable bytes.
  @inline(__always)
  func read(_ text: UnsafeRawPointer) -> Found? {
    var mantissa: UInt64 = 0
    var flags: UInt64 = 0
    var shift: UInt64 = 0
    var place = text
    let lead = bits(text)
    var sum = lead
    repeat {
      let entry = groups[Int(truncatingIfNeeded: sum & 0xFFF)]
      guard (UInt32(truncatingIfNeeded: entry &>> 32) ^ sum) & 0xFFFF_F000 == 0 else { break }
      // Six groups are 18 digits, which never overflow; more than that is rare.
      if shift >= 48 {
        let (scaled, overflow) = mantissa.multipliedReportingOverflow(by: entry &>> 16 & 0x3FF)
        let (next, carry) = scaled.addingReportingOverflow(entry & 0x3FF)
        guard !overflow, !carry else { return nil }
        mantissa = next
      } else {
        mantissa = mantissa &* (entry &>> 16 & 0x3FF) &+ entry & 0x3FF
      }
      flags |= (entry &>> 10 & 0x3F) &<< shift
      shift &+= 8
      place += 4
      sum = bits(place)
    } while shift < 64
    let length = place - text
    if let fractionDigits = Self.fractionDigits(ofUsual: flags, groups: shift &>> 3, lead: lead),
      mantissa != 0
    {
      let value = DecimalNumber.scaled(mantissa, -fractionDigits, false, powers)
      return Found(value: value, length: length)
    }
    guard let shape = Shape(flags: flags, groups: shift &>> 3, lead: lead) else { return nil }
    let number = DecimalNumber(mantissa: mantissa, fractionDigits: shape.fractionDigits)
    guard shape.fractionDigits > 0 || mantissa < 1 << 53,
      let value = number.double(isNegative: shape.isNegative, powers: powers)
    else { return nil }
    return Found(value: value, length: length)
  }

  /// Number of digits after the point, for an unsigned number with a point; `nil` for any other.
  @inline(__always)
  private static func fractionDigits(ofUsual flags: UInt64, groups: UInt64, lead: UInt32) -> Int? {
    let lastShift = groups &* 8 &- 4
    let padding = flags &>> lastShift
    let point = flags ^ padding &<< lastShift
    // One point, not at the start, and no leading 0 before another digit.
    guard point & ~pointFlags == 0, point > 1, point & (point &- 1) == 0, point == 2 || lead & 0xF00 != 0
    else { return nil }
    let bit = UInt64(truncatingIfNeeded: point.trailingZeroBitCount)
    let fraction = Int(truncatingIfNeeded: (groups &- bit &>> 3) &* 3 &- padding &- bit & 7) &- 1
    return fraction > 0 ? fraction : nil
  }

  /// The bits that four characters contribute to three bytes: three high nibbles, then three low ones, below flag bits
  /// for a character that is not part of a number and for padding.
  @inline(__always)
  private func bits(_ text: UnsafeRawPointer) -> UInt32 {
    let word = Int(truncatingIfNeeded: text.loadUnaligned(as: UInt32.self))
    return letters[word & 0xFF] | letters[256 &+ (word &>> 8 & 0xFF)] | letters[512 &+ (word &>> 16 & 0xFF)]
      | letters[768 &+ (word &>> 24)]
  }

  /// Positions of sign, point and padding.
  private struct Shape {
    let isNegative: Bool
    let fractionDigits: Int

    /// Fails if JSON forbids the shape.
    ///
    /// - Parameters:
    ///   - flags: Eight bits per group, the first group in the lowest bits.
    ///   - lead: The bits of the first group.
    @inline(__always)
    init?(flags: UInt64, groups: UInt64, lead: UInt32) {
      guard groups > 0 else { return nil }
      let padding = flags & paddingFlags
      let lastShift = groups &* 8 &- 8
      guard padding & ((1 &<< lastShift) &- 1) == 0, flags & signFlags <= 8 else { return nil }
      let count = Int(truncatingIfNeeded: groups &* 3 &- padding &>> (lastShift &+ 4))
      let points = flags & pointFlags
      let sign = Int(truncatingIfNeeded: flags &>> 3 & 1)
      let bit = points.trailingZeroBitCount
      let point = points == 0 ? count : (bit &>> 3) &* 3 &+ bit & 7
      fractionDigits = points == 0 ? 0 : count &- point &- 1
      isNegative = sign != 0
      let whole = point &- sign
      // A leading 0 is valid only as the single digit before the point.
      guard points & (points &- 1) == 0, whole > 0, points == 0 || fractionDigits > 0,
        whole == 1 || lead &>> (sign == 0 ? 8 : 4) & 0xF != 0
      else { return nil }
    }
  }
}

/// The tables of `NumberGroups`, built once.
enum NumberGroupTables {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let invalid: UInt32 = 1 << 24
  /// Distinguishes two padding characters from one that follows a byte of 0x0F.
  private static let twice: UInt32 = 1 << 25
  /// The low nibble that stands for padding; no byte of a number has it.
  private static let none: UInt32 = 0xF

  /// For each position and character, the bits of three bytes: high nibbles in bits 12 to 23, low nibbles below.
  ///
  /// `+` and `/` never occur in the Base64 of a number, so the last character never yields 0x3F, which is padding.
  static let letters: [UInt32] = {
    var table = [UInt32](repeating: invalid, count: 4 * 256)
    for (value, letter) in alphabet.enumerated() {
      for place in 0..<4 {
        table[place * 256 + Int(letter)] = spread(UInt32(value) << UInt32(18 - 6 * place))
      }
    }
    let equals = Int(UInt8(ascii: "="))
    table[512 + equals] = none << 4 | twice
    table[768 + equals] = none << 12 | none
    return table
  }()

  /// Three bytes, the first on top, with their high nibbles moved together.
  private static func spread(_ bytes: UInt32) -> UInt32 {
    (0..<3).reduce(0) { sum, index in
      let byte = bytes >> UInt32(16 - 8 * index) & 0xFF
      return sum | (byte >> 4) << UInt32(20 - 4 * index) | (byte & 0xF) << UInt32(8 - 4 * index)
    }
  }

  /// For three low nibbles: the value of their digits (ten bits), flags (from bit 10: one bit per point, a sign at the
  /// first position, two bits for the count of padding bytes), the power of ten to multiply the preceding digits by
  /// (from bit 16), and above bit 44 the required value of the character bits above bit 12.
  static let groups: [UInt64] = (0..<4096).map { index in group([index >> 8, index >> 4 & 15, index & 15]) }

  private static func group(_ lowers: [Int]) -> UInt64 {
    var (value, power, uppers, flags) = (0 as UInt64, 1 as UInt64, 0 as UInt64, 0 as UInt64)
    let padding = lowers[2] == none ? (lowers[1] == none ? 2 : 1) : 0
    for (place, lower) in lowers.enumerated() {
      let upper: UInt64
      switch lower {
      case 0...9:
        upper = 3
        value = value * 10 + UInt64(lower)
        power *= 10
      case 0xE:
        upper = 2
        flags |= 1 << UInt64(place)
      case 0xD where place == 0:
        upper = 2
        flags |= 8
      // The missing byte would end in the bits of two characters, one or both of which are padding.
      case 0xF where place >= 3 - padding: upper = place == 2 ? 0xF : 0
      default: return 1 << 63
      }
      uppers = uppers << 4 | upper
    }
    flags |= UInt64(padding) << 4
    if padding == 2 { uppers |= UInt64(twice >> 12) }
    return value | flags << 10 | power << 16 | uppers << 44
  }
}
