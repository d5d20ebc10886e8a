import Foundation
import TestSupport
import Testing

@testable import JSONLines

@Suite("Decimal numbers and their Base64")
struct DecimalNumberTests {
  /// What the hot path makes of the Base64 of a text.
  private func fast(_ text: String) -> Double? {
    let slack = DecimalNumber.slack
    var base64 = Array(Data(text.utf8).base64EncodedData())
    let length = base64.count
    base64 += [UInt8](repeating: 0x2E, count: 32)
    var room = [UInt8](repeating: 0x2E, count: NumberText.capacity + 2 * slack)
    return room.withUnsafeMutableBytes { room -> Double? in
      guard let scratch = room.baseAddress.map({ $0 + slack }) else { return nil }
      let count = base64.withUnsafeBytes { bytes in
        bytes.baseAddress.map { NumberText.decode($0, length: length, into: scratch) } ?? -1
      }
      guard count > 0 else { return nil }
      let isNegative = text.hasPrefix("-")
      let sign = isNegative ? 1 : 0
      return DecimalNumber.tens.withUnsafeBufferPointer { tens in
        PowersOfFive.words.withUnsafeBufferPointer { powers -> Double? in
          guard let tens = tens.baseAddress, let powers = powers.baseAddress else { return nil }
          return DecimalNumber(scratch + sign, count: count - sign, tens: tens)?
            .double(isNegative: isNegative, powers: powers)
        }
      }
    }
  }

  @Test("random doubles as they are written come back bit for bit")
  func shortest() {
    var generator = SeededGenerator(seed: 1)
    var taken = 0
    for _ in 0..<200_000 {
      let value =
        Double.random(in: -1...1, using: &generator) * pow(10, Double.random(in: -4...16, using: &generator))
      let text = "\(value)"
      guard let read = fast(text) else { continue }
      taken += 1
      #expect(read.bitPattern == value.bitPattern, "\(text)")
    }
    #expect(taken > 150_000)
  }

  @Test("random digits with a point anywhere are rounded as strtod rounds them")
  func digits() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200_000 {
      let count = Int.random(in: 1...20, using: &generator)
      var text = (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      if count > 1, Bool.random(using: &generator) {
        text.insert(
          ".", at: text.index(text.startIndex, offsetBy: Int.random(in: 1..<count, using: &generator)))
      }
      let isNumber = !text.hasPrefix("0") || text.count == 1 || text.hasPrefix("0.")
      let read = fast(text)
      if !isNumber { #expect(read == nil, "\(text)") }
      if let read { #expect(read == Double(text), "\(text)") }
    }
  }

  @Test(
    "halfway cases round to even",
    arguments: [
      "9007199254740993", "9007199254740995", "4503599627370496.5", "4503599627370497.5",
      "1.00000000000000011102230246251565",
    ])
  func ties(text: String) {
    if let read = fast(text) { #expect(read == Double(text)) }
  }

  @Test("the table of powers holds the top 128 bits of each power of five")
  func powers() {
    // 5²⁷ is the largest power that fits a word, so the table's first words can be computed directly up to it.
    var power: UInt64 = 1
    for exponent in 0...27 {
      let row = (exponent - PowersOfFive.exponents.lowerBound) * 2
      #expect(PowersOfFive.words[row] == power << UInt64(power.leadingZeroBitCount))
      #expect(PowersOfFive.words[row + 1] == 0)
      power = power.multipliedReportingOverflow(by: 5).partialValue
    }
    #expect(PowersOfFive.words.count == PowersOfFive.exponents.count * 2)
  }

  @Test("anything but a plain number is left alone, whatever bytes it is made of")
  func garbage() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200_000 {
      let bytes = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        UInt8.random(in: 0x20...0x7F, using: &generator)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let read = fast(text) else { continue }
      #expect(read == Double(text), "\(text)")
    }
    for text in ["", "-", ".", "1.", ".1", "-.1", "01", "-01", "1.2.3", "--1", "+1", "1e5", "1-", "0x1", "１"]
    {
      #expect(fast(text) == nil, "\(text)")
    }
  }
  @Test(
    "takes the numbers that files are full of",
    arguments: [
      "0", "-0", "1", "-7", "428.5", "428.83333333333333", "0.5", "1234567890.123456", "9007199254740992",
    ])
  func usual(text: String) {
    #expect(fast(text)?.bitPattern == Double(text)?.bitPattern)
  }
}
