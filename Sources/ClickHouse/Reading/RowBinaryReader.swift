package import Aggregation

/// Values in ClickHouse's format RowBinary, from bytes that may be anything.
///
/// Reads what ``RowWriter`` writes. Nothing is allocated beyond the bytes that are there.
package struct RowBinaryReader: Sendable {
  /// The bytes end inside a value, or are not one.
  package struct Damage: Error, Hashable, Sendable {}

  private var rest: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package var isDone: Bool { rest.isEmpty }

  /// Reads rows up to the end.
  ///
  /// - Parameter row: Reads one row, which has at least one byte.
  package mutating func rows<Row>(
    _ row: (inout RowBinaryReader) throws(Damage) -> Row
  ) throws(Damage) -> [Row] {
    var rows: [Row] = []
    while !isDone {
      let before = rest.count
      rows.append(try row(&self))
      guard rest.count < before else { throw Damage() }
    }
    return rows
  }

  package mutating func bytes() throws(Damage) -> ArraySlice<UInt8> {
    let count = try count()
    guard count <= UInt64(rest.count) else { throw Damage() }
    let bytes = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return bytes
  }

  package mutating func text() throws(Damage) -> String { String(decoding: try bytes(), as: UTF8.self) }

  package mutating func word<Word: FixedWidthInteger & BitwiseCopyable>(
    _: Word.Type = Word.self
  ) throws(Damage) -> Word {
    let size = MemoryLayout<Word>.size
    guard rest.count >= size else { throw Damage() }
    let word = rest.withUnsafeBytes { $0.loadUnaligned(as: Word.self) }
    rest = rest.dropFirst(size)
    return Word(littleEndian: word)
  }

  /// Greatest count of samples, so that those of many rows can be added.
  private static let greatestTally: UInt64 = 1 << 40

  /// A count of samples.
  package mutating func tally() throws(Damage) -> Int { Int(min(try word(), Self.greatestTally)) }

  package mutating func double() throws(Damage) -> Double { Double(bitPattern: try word(UInt64.self)) }

  /// A metric, or the series of one of its fields if those are read too.
  package mutating func series() throws(Damage) -> SeriesIdentity {
    let (bucket, name, type, field) = (try text(), try text(), try text(), try text())
    return SeriesIdentity(
      bucket: bucket.isEmpty ? nil : bucket, name: name, typeName: type, field: field.isEmpty ? nil : field)
  }

  /// The number of elements of an array or bytes of a text, in groups of seven bits.
  private mutating func count() throws(Damage) -> UInt64 {
    var count: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = rest.popFirst() else { throw Damage() }
      count |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return count }
    }
    throw Damage()
  }
}
