import Aggregation
import Codecs

/// A value on its way into a ``PayloadHash``.
///
/// Hashes the fields of a section directly: writing them as JSON first takes ten times as long.
struct ContentDigest: Sendable {
  private var state: SIMD2<UInt64>

  /// Two different seeds, so that the halves of the hash are independent.
  private static let seeds = SIMD2<UInt64>(0x9AE1_6A3B_2F90_404F, 0x9E37_79B9_7F4A_7C15)

  private init(_ state: SIMD2<UInt64>) {
    self.state = state
  }

  /// A number; the kind distinguishes it from other values with the same bits.
  init(word: UInt64, kind: Kind) {
    state = Self.mixed(SIMD2(repeating: word) ^ (Self.seeds &* SIMD2(repeating: 2 * kind.rawValue + 1)))
  }

  /// The type of a hashed value.
  enum Kind: UInt64 {
    case null = 1
    case bool, integer, unsigned, number, array, object, text, quantity
  }

  /// A text.
  init(_ text: String) {
    var text = text
    state = text.withUTF8 { utf8 in
      var state = ContentDigest(word: UInt64(utf8.count), kind: .text).state
      let bytes = UnsafeRawBufferPointer(utf8)
      var start = 0
      while start + 8 <= bytes.count {
        let piece = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        state = Self.mixed(state ^ SIMD2(repeating: piece)) &+ Self.seeds
        start += 8
      }
      guard start < bytes.count else { return state }
      var piece: UInt64 = 0
      for index in start..<bytes.count { piece = piece << 8 | UInt64(bytes[index]) }
      return Self.mixed(state ^ SIMD2(repeating: piece)) &+ Self.seeds
    }
  }

  /// An integer.
  init(_ value: Int64) {
    self.init(word: UInt64(bitPattern: value), kind: .integer)
  }

  /// A floating-point number.
  init(_ value: Double) {
    self.init(word: value == 0 ? 0 : value.bitPattern, kind: .number)
  }

  /// A number with the digest of its unit; `nil` if it cannot be written.
  init?(quantity value: Double, unit: ContentDigest) {
    guard value.isFinite else { return nil }
    let number = ContentDigest(word: value == 0 ? 0 : value.bitPattern, kind: .quantity)
    state = Self.mixed(number.state &+ unit.state)
  }

  /// An ordered list.
  init(elements: some Sequence<ContentDigest>) {
    var (sum, count) = (SIMD2<UInt64>(), UInt64(0))
    for element in elements {
      sum = Self.mixed(sum &+ element.state)
      count += 1
    }
    state = Self.mixed(sum ^ ContentDigest(word: count, kind: .array).state)
  }

  /// Any JSON value.
  init(_ json: JSONValue) {
    switch json {
    case .null: self.init(word: 1, kind: .null)
    case .bool(let value): self.init(word: value ? 1 : 0, kind: .bool)
    case .integer(let value): self.init(value)
    case .unsigned(let value): self.init(word: value, kind: .unsigned)
    case .wide, .number: self.init(json.double ?? 0)
    case .string(let text): self.init(text)
    case .array(let elements): self.init(elements: elements.lazy.map { ContentDigest($0) })
    case .object(let fields):
      var members = Members()
      for (key, value) in fields { members.add(ContentDigest(key), ContentDigest(value)) }
      self.init(members)
    }
  }

  /// A keyed collection; the order of additions does not matter.
  struct Members {
    fileprivate var sum = SIMD2<UInt64>()
    fileprivate var count: UInt64 = 0

    mutating func add(_ key: ContentDigest, _ value: ContentDigest) {
      // The sum is independent of the order of the keys.
      sum &+= ContentDigest.mixed(key.state ^ ContentDigest.mixed(value.state))
      count += 1
    }
  }

  init(_ members: Members) {
    state = Self.mixed(ContentDigest(word: members.count, kind: .object).state &+ members.sum)
  }

  /// The halves of the hash.
  var words: (high: UInt64, low: UInt64) {
    (SplitMix64.mixed(state.x), SplitMix64.mixed(state.y ^ 0x5851_F42D_4C95_7F2D))
  }

  private static func mixed(_ state: SIMD2<UInt64>) -> SIMD2<UInt64> {
    SIMD2(SplitMix64.mixed(state.x), SplitMix64.mixed(state.y))
  }
}
