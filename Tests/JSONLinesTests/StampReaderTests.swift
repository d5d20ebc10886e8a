import TestSupport
import Testing

@testable import JSONLines

@Suite("Time stamps")
struct StampReaderTests {
  private func read(_ text: String, by reader: inout StampReader) -> (time: Double, count: Int)? {
    let bytes = Array(text.utf8) + Array(",\"value\":\"MTIzNDU2Nzg5".utf8)
    return bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { reader.read($0) } }
  }

  @Test("are the nearest double, whatever their digits")
  func nearest() {
    var generator = SeededGenerator(seed: 5)
    var reader = StampReader()
    for _ in 0..<trials(60_000, long: 300_000) {
      let seconds = Int.random(in: 100_000_000...999_999_999, using: &generator)
      let digits = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let text = "\(seconds).\(digits.joined())"
      let found = read(text, by: &reader)
      #expect(found?.time == Double(text) && found?.count == text.utf8.count, "\(text)")
    }
  }

  @Test(
    "halfway between two doubles are rounded to even, also across a power of two",
    arguments: [
      "536870911.9999999", "536870912.0000001", "134217727.9999999", "268435455.9999999", "999999999.9999999",
      "536870912.5", "786923456.0", "134217728.5",
    ])
  func edges(text: String) {
    var reader = StampReader()
    #expect(read(text, by: &reader)?.time == Double(text))
  }

  @Test(
    "of any other shape are left to others",
    arguments: [
      "786923456", "86923456.5", "1786923456.5", "086923456.5", "786923456.", "786923456.123456789",
      "-86923456.5",
      "7869234x6.5", "786923456.1e3", "786923456.1-2", "7869:3456.5", "78692345:.5", "78692345/.5",
      "786923456,5",
    ])
  func others(text: String) {
    var reader = StampReader()
    #expect(read("786923456.5", by: &reader)?.time == 786_923_456.5)
    #expect(read(text, by: &reader) == nil)
    #expect(read("786923456.25", by: &reader)?.time == 786_923_456.25)
  }

  @Test("end at the character that follows them in their lines", arguments: ["}", " ", "\t", "\r", "\n"])
  func ends(end: Character) throws {
    var reader = StampReader()
    reader.end = try #require(end.asciiValue)
    for digits in ["5", "1234567", "12345678"] {
      let bytes = Array("786923456.\(digits)\(end)\"value\":\"MTIz".utf8)
      let found = bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { reader.read($0) } }
      #expect(found?.time == Double("786923456.\(digits)") && found?.count == 10 + digits.utf8.count)
    }
  }
}
