/// 128 bits that tell two contents apart, the same on every machine and in every process.
///
/// The order of keys plays no part. It serves to recognise what was uploaded twice, not to keep anybody from making
/// two contents with one hash.
public struct PayloadHash: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  init(_ json: JSONValue) {
    let state = Self.hash(json)
    (high, low) = (Self.mix(state.x), Self.mix(state.y ^ 0x5851_F42D_4C95_7F2D))
  }

  /// In 32 hexadecimal digits.
  public var description: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func hash(_ json: JSONValue) -> SIMD2<UInt64> {
    switch json {
    case .null: word(1, kind: 1)
    case .bool(let value): word(value ? 1 : 0, kind: 2)
    case .integer(let value): word(UInt64(bitPattern: value), kind: 3)
    case .unsigned(let value): word(value, kind: 4)
    case .number(let value): word(value == 0 ? 0 : value.bitPattern, kind: 5)
    case .string(let text): hash(text)
    case .array(let elements):
      elements.reduce(word(UInt64(elements.count), kind: 6)) { mixed($0 &+ hash($1)) }
    case .object(let fields):
      // The sum does not know the order of the keys.
      mixed(
        fields.reduce(word(UInt64(fields.count), kind: 7)) { sum, field in
          sum &+ mixed(hash(field.key) ^ mixed(hash(field.value)))
        })
    }
  }

  private static func hash(_ text: String) -> SIMD2<UInt64> {
    var text = text
    return text.withUTF8 { utf8 in
      var state = word(UInt64(utf8.count), kind: 8)
      var start = 0
      while start < utf8.count {
        var piece: UInt64 = 0
        for index in start..<min(start + 8, utf8.count) { piece = piece << 8 | UInt64(utf8[index]) }
        state = mixed(state ^ SIMD2(repeating: piece)) &+ seeds
        start += 8
      }
      return state
    }
  }

  /// Two different numbers, so that the halves of the hash go different ways.
  private static let seeds = SIMD2<UInt64>(0x9AE1_6A3B_2F90_404F, 0x9E37_79B9_7F4A_7C15)

  private static func word(_ word: UInt64, kind: UInt64) -> SIMD2<UInt64> {
    mixed(SIMD2(repeating: word) ^ (seeds &* SIMD2(repeating: 2 * kind + 1)))
  }

  private static func mixed(_ state: SIMD2<UInt64>) -> SIMD2<UInt64> {
    SIMD2(mix(state.x), mix(state.y))
  }

  /// The last step of splitmix64: every bit of the result depends on every bit.
  private static func mix(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
