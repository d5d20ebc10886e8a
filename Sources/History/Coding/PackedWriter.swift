import Platform

/// Encodes numbers and texts in few bytes.
struct PackedWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  /// An unsigned integer: seven bits per byte, lowest first.
  mutating func write(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// A count; a negative one, which does not occur, is written as 0.
  mutating func write(count: Int) { write(UInt64(max(0, count))) }

  /// A signed integer; small magnitudes take few bytes.
  mutating func write(signed value: Int64) {
    write(UInt64(bitPattern: value &<< 1 ^ value &>> 63))
  }

  mutating func write(fixed value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(shift)))
    }
  }

  mutating func write(_ value: Double) { write(fixed: value.bitPattern) }

  mutating func write(_ moment: Timestamp) { write(moment.seconds) }

  mutating func write(_ text: String) {
    write(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// A text that may be missing.
  mutating func write(optional text: String?) {
    write(count: text == nil ? 0 : 1)
    if let text { write(text) }
  }

  mutating func write(raw other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }
}
