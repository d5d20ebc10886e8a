/// A sample in sixteen bytes: its time, and its value in one word.
///
/// A number is its own bit pattern. No number is NaN, so the NaN patterns encode everything else: null, the two bools,
/// and texts by their number in the series' `TextTable`. The word is an integer so that no move through a
/// floating-point register can change the payload.
struct RawSample: Sendable, Equatable {
  /// Seconds since 2001.
  var time: Double
  var word: UInt64

  private static let mark: UInt64 = 0x7FF8_0000_0000_0000
  private static let payload: UInt64 = 0xFFFF_FFFF

  /// The decoded content of a word.
  enum Content: Equatable {
    case number(Double)
    case bool(Bool)
    case text(Int)
    case null
  }

  init(time: Double, word: UInt64) {
    self.time = time
    self.word = word
  }

  init(time: Double, content: Content) {
    self.time = time
    switch content {
    case .number(let value): word = value.isNaN ? Self.mark : value.bitPattern
    case .null: word = Self.mark
    case .bool(let value): word = Self.mark | 1 << 40 | (value ? 1 : 0)
    case .text(let index): word = Self.mark | 2 << 40 | UInt64(UInt32(clamping: index))
    }
  }

  /// The number; `nil` for everything else.
  var number: Double? {
    let value = Double(bitPattern: word)
    return value.isNaN ? nil : value
  }

  var content: Content {
    if let number { return .number(number) }
    switch (word >> 40) & 3 {
    case 1: return .bool(word & 1 == 1)
    case 2: return .text(Int(word & Self.payload))
    default: return .null
    }
  }
}
