/// 128 bits that tell two contents apart, the same on every machine and in every process.
///
/// The order of keys plays no part. It serves to recognise what was uploaded twice, not to keep anybody from making
/// two contents with one hash.
public struct PayloadHash: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  init(_ json: JSONValue) {
    high = Self.hash(json, seed: 0x9AE1_6A3B_2F90_404F)
    low = Self.hash(json, seed: 0x5851_F42D_4C95_7F2D)
  }

  /// In 32 hexadecimal digits.
  public var description: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func hash(_ json: JSONValue, seed: UInt64) -> UInt64 {
    switch json {
    case .null: mix(seed ^ 1)
    case .bool(let value): mix(seed ^ (value ? 3 : 2))
    case .integer(let value): mix(mix(seed ^ 4) ^ UInt64(bitPattern: value))
    case .unsigned(let value): mix(mix(seed ^ 5) ^ value)
    case .number(let value): mix(mix(seed ^ 6) ^ (value == 0 ? 0 : value.bitPattern))
    case .string(let text): hash(text, seed: mix(seed ^ 7))
    case .array(let elements): elements.reduce(mix(seed ^ 8)) { mix($0 &+ hash($1, seed: seed)) }
    case .object(let fields):
      mix(
        fields.reduce(mix(seed ^ 9)) { sum, field in
          sum &+ mix(hash(field.key, seed: seed) ^ mix(hash(field.value, seed: seed)))
        })
    }
  }

  private static func hash(_ text: String, seed: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { utf8 in
      var state = seed ^ UInt64(utf8.count)
      var start = 0
      while start < utf8.count {
        var word: UInt64 = 0
        for index in start..<min(start + 8, utf8.count) { word = word << 8 | UInt64(utf8[index]) }
        state = mix(state ^ word) &+ 0x9E37_79B9_7F4A_7C15
        start += 8
      }
      return mix(state)
    }
  }

  /// The last step of splitmix64: every bit of the result depends on every bit.
  private static func mix(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
