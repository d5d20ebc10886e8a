import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Random properties")
struct PropertyFuzzTests {
  @Test(
    "Foundation reads what was written as it was meant, and equal properties are equal bytes",
    arguments: 0..<8)
  func againstFoundation(seed: UInt64) throws {
    var random = RandomProperties(seed: seed)
    for _ in 0..<250 {
      let (any, expected) = random.object(depth: 0)
      let converted = PropertyConversion.convert(any)
      #expect(converted.values == expected.kept)
      #expect(converted.leftOut == expected.leftOut)
      var bytes: [UInt8] = []
      PropertyWriter.append(converted.values, to: &bytes)
      #expect(PropertyReader.value(bytes) == .object(expected.kept))
      let read = try JSONSerialization.jsonObject(with: Data(bytes))
      #expect(Self.difference(read, .object(expected.kept)) == nil)
      var again: [UInt8] = []
      PropertyWriter.append(
        Dictionary(uniqueKeysWithValues: converted.values.shuffled(using: &random.generator)), to: &again)
      #expect(again == bytes)
    }
  }

  @Test("What Foundation read of JSON is converted to the same JSON", arguments: 8..<12)
  func ofFoundation(seed: UInt64) throws {
    var random = RandomProperties(seed: seed)
    for _ in 0..<250 {
      let expected = random.object(depth: 0).expected.kept
      var bytes: [UInt8] = []
      PropertyWriter.append(expected, to: &bytes)
      let read = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      let converted = PropertyConversion.convert(read)
      #expect(converted.leftOut == 0)
      #expect(Self.difference(read, .object(converted.values)) == nil)
      #expect(Self.difference(read, .object(expected)) == nil)
    }
  }

  @Test(
    "Random bytes are read or refused, and what is read is written so that it is read again", arguments: 0..<4
  )
  func damaged(seed: UInt64) {
    var random = RandomProperties(seed: seed)
    for _ in 0..<1000 {
      var bytes: [UInt8] = []
      PropertyWriter.append(random.object(depth: 1).expected.kept, to: &bytes)
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
        guard let index = bytes.indices.randomElement(using: &random.generator) else { break }
        let byte =
          Bool.random(using: &random.generator)
          ? UInt8.random(in: 0...255, using: &random.generator)
          : Array("{}[],:\"0-.e\\u".utf8).randomElement(using: &random.generator) ?? 0
        bytes[index] = byte
      }
      guard let value = PropertyReader.value(bytes) else { continue }
      var again: [UInt8] = []
      PropertyWriter.append(value, to: &again)
      #expect(PropertyReader.value(again) == value)
    }
  }

  /// Where Foundation's object means something else; `nil` if nowhere.
  private static func difference(_ any: Any, _ value: PropertyValue, at path: String = "") -> String? {
    let isSame =
      switch value {
      case .null: any is NSNull
      case .text(let text): (any as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
      case .bool(let isTrue): (any as? Bool) == isTrue
      case .integer(let integer): (any as? NSNumber)?.int64Value == integer
      // Its numbers may be decimals, whose digits are right and whose `doubleValue` is a little off.
      case .double(let double): Double("\(any)") == double
      case .array(let values): (any as? [Any])?.count == values.count
      case .object(let members): (any as? [String: Any])?.count == members.count
      }
    guard isSame else { return "\(path): \(any) \(value)" }
    if case .array(let values) = value, let elements = any as? [Any] {
      return zip(elements, values).lazy.compactMap { difference($0, $1, at: path + "[]") }.first
    }
    if case .object(let members) = value, let object = any as? [String: Any] {
      return members.lazy.compactMap { name, value in
        difference(object[name] ?? "missing", value, at: path + ".\(name)")
      }.first
    }
    return nil
  }
}

/// Makes properties as apps pass them, together with what should become of them.
private struct RandomProperties {
  /// The kept part of an object, and how many values were left out.
  struct Expected {
    var kept: [String: PropertyValue] = [:]
    var leftOut = 0
  }

  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  mutating func text() -> String {
    switch below(4) {
    case 0: return ["", "id", "name", "\u{0}", "\"\\/", "e\u{301}", "\u{2028}", "🇩🇪", "\u{FFFF}"][below(9)]
    case 1: return String(decoding: (0..<below(12)).map { _ in UInt8(below(256)) }, as: UTF8.self)
    case 2: return String(decoding: (0..<below(8)).map { _ in UInt16(0xD7F0 + below(0x850)) }, as: UTF16.self)
    default: return String(decoding: (0..<below(20)).map { _ in UInt8(below(128)) }, as: UTF8.self)
    }
  }

  mutating func object(depth: Int) -> (any: [String: Any], expected: Expected) {
    var (any, expected) = ([String: Any](), Expected())
    for _ in 0..<below(depth == 0 ? 12 : 5) {
      // Foundation reads two spellings of a name as one.
      let name = text().precomposedStringWithCanonicalMapping
      guard any[name] == nil else { continue }
      let (member, value) = member(depth: depth + 1, leftOut: &expected.leftOut)
      any[name] = member
      expected.kept[name] = value
    }
    return (any, expected)
  }

  private mutating func member(depth: Int, leftOut: inout Int) -> (Any, PropertyValue?) {
    switch below(depth > 5 ? 6 : 9) {
    case 0: return scalar()
    case 1:
      let number = Double(bitPattern: generator.next())
      if !number.isFinite { leftOut += 1 }
      return (number, number.isFinite ? .double(number) : nil)
    case 2:
      let text = text()
      return (text, .text(text))
    case 3:
      let number = Int(truncatingIfNeeded: generator.next()) >> below(64)
      return (Bool.random(using: &generator) ? number : NSNumber(value: number), .integer(Int64(number)))
    case 4: return (NSNull(), .null)
    case 5:
      leftOut += 1
      return ([Set([1]), Float.nan, NSObject()] as [Any]).randomElement(using: &generator).map { ($0, nil) }
        ?? (0, 0)
    case 6:
      let object = object(depth: depth)
      leftOut += object.expected.leftOut
      return (object.any, .object(object.expected.kept))
    case 7:
      let texts = (0..<below(4)).map { _ in text() }
      return (texts, .array(texts.map(PropertyValue.text)))
    default:
      var (any, values) = ([Any](), [PropertyValue]())
      for _ in 0..<below(5) {
        let (element, value) = member(depth: depth + 1, leftOut: &leftOut)
        any.append(element)
        if let value { values.append(value) }
      }
      return (any, .array(values))
    }
  }

  private mutating func scalar() -> (Any, PropertyValue?) {
    let isTrue = Bool.random(using: &generator)
    switch below(5) {
    case 0: return (isTrue, .bool(isTrue))
    case 1: return (NSNumber(value: isTrue), .bool(isTrue))
    case 2: return (Optional<Int>.none as Any, .null)
    case 3:
      let milliseconds = below(4_000_000_000_000)
      return (
        Date(timeIntervalSince1970: Double(milliseconds) / 1000),
        .text(EventTime.text(milliseconds: milliseconds))
      )
    default:
      let number = Float(below(1000)) / 8
      return (number, .double(Double(number)))
    }
  }
}
