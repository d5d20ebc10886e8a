/// Values in ClickHouse's format RowBinary.
struct RowWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  mutating func text(_ text: some Collection<UInt8>) {
    count(text.count)
    bytes.append(contentsOf: text)
  }

  mutating func text(_ text: String) { self.text(text.utf8) }

  mutating func array<Element>(_ elements: [Element], _ write: (inout RowWriter, Element) -> Void) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func word(_ word: some FixedWidthInteger) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// The number of elements of an array or bytes of a text, in groups of seven bits.
  private mutating func count(_ count: Int) {
    var rest = UInt64(max(0, count))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
