import FuzzChecks
import TestSupport
import Testing

@testable import ClickHouse

@Suite("Rows of a server, whatever its bytes are")
struct RowBinaryReaderTests {
  /// Rows with a text, a number and an array, as ``RowWriter`` writes them.
  private static func rows(_ count: Int) -> [UInt8] {
    var writer = RowWriter()
    for number in 0..<count {
      writer.text(String(repeating: "ä", count: number * 40))
      writer.word(Int64(number) - 3)
      writer.byte(UInt8(number % 200))
      writer.word((Double(number) / 3).bitPattern)
    }
    return writer.bytes
  }

  private struct Row: Equatable {
    let text: String
    let word: Int64
    let byte: UInt8
    let number: Double

    init(_ reader: inout RowBinaryReader) throws(RowBinaryReader.Damage) {
      (text, word, byte, number) = (
        try reader.text(), try reader.word(), try reader.word(), try reader.double()
      )
    }
  }

  private static func read(_ bytes: [UInt8]) throws(RowBinaryReader.Damage) -> [Row] {
    var reader = RowBinaryReader(bytes)
    return try reader.rows { row throws(RowBinaryReader.Damage) in try Row(&row) }
  }

  @Test func `What was written is read`() throws {
    let rows = try Self.read(Self.rows(20))
    #expect(rows.count == 20)
    #expect(rows.last?.text == String(repeating: "ä", count: 760) && rows.last?.word == 16)
    #expect(rows.last?.byte == 19 && rows.last?.number == 19.0 / 3)
    #expect(try Self.read([]).isEmpty)
  }

  @Test func `Rows that end early are damaged at every place`() throws {
    let bytes = Self.rows(3)
    let ends = (0...3).map { Self.rows($0).count }
    for count in 0...bytes.count {
      let part = Array(bytes.prefix(count))
      if ends.contains(count) {
        #expect(try Self.read(part).count == ends.firstIndex(of: count))
      } else {
        #expect(throws: RowBinaryReader.Damage.self) { try Self.read(part) }
      }
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], [0x05, 0x41],
    ] as [[UInt8]])
  func `a length beyond the bytes is damage`(bytes: [UInt8]) {
    #expect(throws: RowBinaryReader.Damage.self) { try Self.read(bytes) }
  }

  @Test func `Rows that take no bytes do not go on for ever`() {
    var reader = RowBinaryReader([1])
    #expect(throws: RowBinaryReader.Damage.self) { try reader.rows { _ throws(RowBinaryReader.Damage) in 0 } }
  }

  @Test func `changed bytes are read or refused`() {
    var random = SeededGenerator(seed: 11)
    let valid = Self.rows(6)
    for turn in 0..<20_000 {
      var bytes = valid
      for _ in 0...random.next() % 6 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF)
      }
      bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      _ = try? Self.read(bytes)
      let complaint = ([UInt8(turn & 0xF)] + bytes).withUnsafeBytes(FuzzCheck.rows.complaint)
      #expect(complaint == nil)
    }
  }
}
