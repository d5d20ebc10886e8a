import Foundation
import TestSupport
import Testing

@testable import JSONLines

@Suite("Decimal numbers and their Base64")
struct DecimalNumberTests {
  /// The hot path's result for the Base64 of a text; `nil` also if it does not take all of it.
  private func fast(_ text: String) -> Double? {
    fast(base64: Array(Data(text.utf8).base64EncodedData()))
  }

  private func fast(base64: [UInt8]) -> Double? {
    let room = base64 + [UInt8(ascii: "\"")] + [UInt8](repeating: 0x41, count: NumberGroups.room)
    let found = room.withUnsafeBytes { bytes in
      PowersOfFive.words.withUnsafeBufferPointer { powers in
        NumberGroupTables.letters.withUnsafeBufferPointer { letters in
          NumberGroupTables.groups.withUnsafeBufferPointer { groups -> NumberGroups.Found? in
            guard let powers = powers.baseAddress, let letters = letters.baseAddress,
              let groups = groups.baseAddress, let text = bytes.baseAddress
            else { return nil }
            return NumberGroups(letters: letters, groups: groups, powers: powers).read(text)
          }
        }
      }
    }
    return found?.length == base64.count ? found?.value : nil
  }

  @Test("random doubles as they are written come back bit for bit")
  func shortest() {
    var generator = SeededGenerator(seed: 1)
    var taken = 0
    for _ in 0..<trials(30_000, long: 200_000) {
      let value =
        Double.random(in: -1...1, using: &generator) * pow(10, Double.random(in: -4...16, using: &generator))
      let text = "\(value)"
      guard let read = fast(text) else { continue }
      taken += 1
      #expect(read.bitPattern == value.bitPattern, "\(text)")
    }
    #expect(taken > trials(22_000, long: 150_000))
  }

  @Test("numbers with exponents are rounded as strtod rounds them")
  func exponents() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<trials(30_000, long: 200_000) {
      let digits =
        UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0...64, using: &generator)
      var text = "\(digits)"
      if text.count > 1, Bool.random(using: &generator) {
        text.insert(".", at: text.index(after: text.startIndex))
      }
      text += ["e", "E", "e+", "E-"][Int.random(in: 0..<4, using: &generator)]
      text += "\(Int.random(in: 0...90, using: &generator))"
      if Bool.random(using: &generator) { text = "-" + text }
      let read = Array(text.utf8).withUnsafeBytes { PlainNumber.usual($0) }
      #expect(read == nil || read?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
    for text in ["1e", "e5", "1e+", "1e5.", "1e1234", "01e5", "1.e5", ".5e1", "1ee5", "-e1", "1e-"] {
      #expect(Array(text.utf8).withUnsafeBytes { PlainNumber.usual($0) } == nil, "\(text)")
    }
  }

  @Test("random digits with a point anywhere are rounded as strtod rounds them")
  func digits() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<trials(30_000, long: 200_000) {
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
    for _ in 0..<trials(30_000, long: 200_000) {
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
      "0", "-0", "1", "-7", "428.5", "428.83333333333333", "0.5", "1234567890.123456", "9007199254740991",
      "0.00021345678901234567",
    ])
  func usual(text: String) {
    #expect(fast(text)?.bitPattern == Double(text)?.bitPattern)
  }

  @Test("a whole number that may have been rounded is left to those who keep its digits")
  func wide() {
    #expect(fast("9007199254740992") == nil)
    #expect(fast("-9007199254740993") == nil)
    #expect(fast("18446744073709551616") == nil)
  }

  @Test("Base64 is taken only as it should be written: padding at the end, and nothing hidden in its bits")
  func oddBase64() {
    for text in ["NQ==NQ==", "NA8=", "NR==", "NQ=", "N===", "====", "NQ=A", "MTI", "MT+z", "MTI/"] {
      #expect(fast(base64: Array(text.utf8)) == nil, "\(text)")
    }
    #expect(fast(base64: Array("NQ==".utf8)) == 5)
    var generator = SeededGenerator(seed: 4)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
    for _ in 0..<trials(60_000, long: 400_000) {
      // Mutations of sound text, since random letters seldom come near one.
      var text = Array(Data("\(Double.random(in: -99...99, using: &generator))".utf8).base64EncodedData())
      text = Array(text.prefix(4 * Int.random(in: 1...2, using: &generator)))
      for _ in 0..<2 {
        let place = Int.random(in: text.indices, using: &generator)
        text[place] = letters.randomElement(using: &generator) ?? 0x41
      }
      guard let read = fast(base64: text) else { continue }
      let data = Data(base64Encoded: Data(text)).map { String(decoding: $0, as: UTF8.self) }
      #expect(data.flatMap(Double.init) == read, "\(String(decoding: text, as: UTF8.self))")
    }
  }
}
