import Testing

@testable import TelemetryCore

@Suite("Numbers and units of all languages")
struct UnitWordTests {
  private static let units: [PayloadUnit] = [
    .seconds, .milliseconds, .minutes, .hours, .bytes, .kilobytes, .megabytes, .gigabytes,
  ]
  private static let locales = localeWords.split(separator: "\n").map {
    $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("every word of every locale is the unit it stands for", arguments: locales)
  func words(_ locale: [String]) throws {
    try #require(locale.count == 11)
    for (unit, words) in zip(Self.units, locale[1...8]) {
      for word in words.split(separator: "/") {
        #expect(PayloadUnit(word: String(word), dimension: unit.dimension) == unit, "\(locale[0]): \(word)")
      }
    }
  }

  @Test("every locale's grouping gives the whole number", arguments: locales)
  func grouping(_ locale: [String]) throws {
    try #require(locale.count == 11)
    for (text, value) in zip(locale[9...10], [1_234_567.0, 1_234.0]) {
      let quantity = try #require(LocalizedQuantity(text), "\(locale[0]): \(text)")
      #expect(quantity.value == value, "\(locale[0]): \(text)")
      #expect(PayloadUnit(word: quantity.unit, dimension: .information) == .kilobytes, "\(locale[0])")
    }
  }

  @Test("there are 59 locales and each is read with its own digits too")
  func digits() throws {
    #expect(Self.locales.count == 59)
    for zero: UInt32 in [0x30, 0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10] {
      let text = [1, 5, 3, 0].compactMap { Unicode.Scalar(zero + $0).map { String($0) } }.joined()
      #expect(LocalizedQuantity(text + " ms")?.value == 1530, "\(text)")
    }
  }

  @Test(
    "separators group or begin a fraction",
    arguments: [
      ("1,106,818千字节", 1_106_818, "千字节"), ("2,717秒", 2717, "秒"), ("79 041 кБ", 79041, "кб"),
      ("20 secs.", 20, "secs"),
      ("200000 kB", 200_000, "kb"), ("1.106 kB", 1106, "kb"), ("12,34,567 kB", 1_234_567, "kb"),
      ("3.2 sec", 3.2, "sec"),
      ("3,25 s", 3.25, "s"), ("0.125 s", 0.125, "s"), ("0,125 s", 0.125, "s"), ("1234.567 s", 1234.567, "s"),
      ("1.2345 s", 1.2345, "s"), ("1.234,5 kB", 1234.5, "kb"), ("1,234.5 kB", 1234.5, "kb"),
      ("١٬٢٣٤٫٥ ث", 1234.5, "ث"), ("-5 ms", -5, "ms"), ("−5 ms", -5, "ms"), ("+7 ms", 7, "ms"),
      ("\u{200F}7 ms", 7, "ms"),
      ("1’234’567 kB", 1_234_567, "kb"), ("1'234 kB", 1234, "kb"), ("1\u{2009}234 kB", 1234, "kb"),
      ("７００ sec", 700, "sec"),
      ("700", 700, ""), ("1000 ms per s", 1000, "ms per s"), ("ms 12", 12, "ms"), ("5 ms 7", 5, "ms 7"),
    ])
  func separators(_ text: String, _ value: Double, _ unit: String) throws {
    let quantity = try #require(LocalizedQuantity(text))
    #expect(quantity.value == value && quantity.unit == unit)
  }

  @Test("a point begins the fraction in what only new systems write")
  func fraction() {
    #expect(LocalizedQuantity("3.125 sec", style: .fraction)?.value == 3.125)
    #expect(LocalizedQuantity("1,234.125 sec", style: .fraction)?.value == 1234.125)
    #expect(LocalizedQuantity("3,125 sec", style: .fraction)?.value == 3125)
  }

  @Test(
    "what is no number is refused",
    arguments: ["", "sec", "-", ".5 s", "1.2.3 s", "1,2,3 s", "1٫2٫3 s", String(repeating: "9", count: 400)])
  func refused(_ text: String) {
    #expect(LocalizedQuantity(text) == nil)
  }

  @Test(
    "the short way gives what the long one gives, or nothing",
    arguments: [
      "2000 ms", "2,000 ms", "12,345,678 ms", "0 ms", "007 ms", "0,123 ms", "1,23 ms", "1234,567 ms",
      "12,34,567 ms",
      "1,234", "ms", " ms", ",123 ms", "1,,234 ms", "123456789012345 ms", "1234567890123456 ms", "5  ms",
      "5 MS", "5 sec",
    ])
  func plain(_ text: String) {
    let quantity = LocalizedQuantity(text)
    if let value = LocalizedQuantity.plain(text, word: "ms") {
      #expect(quantity?.value == value && quantity?.unit == "ms")
    } else {
      #expect(!["2000 ms", "2,000 ms", "12,345,678 ms", "0 ms"].contains(text))
    }
  }

  @Test("one word is two units in two dimensions")
  func shared() {
    #expect(PayloadUnit(word: "t", dimension: .information) == .bytes)
    #expect(PayloadUnit(word: "t", dimension: .duration) == .hours)
    #expect(PayloadUnit(word: "kB", dimension: .duration) == nil)
    #expect(PayloadUnit(word: "furlong", dimension: .duration) == nil)
  }
}
