import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Properties of apps")
struct PropertyConversionTests {
  @Test("B-19: nested arrays, objects and nulls come out as plain JSON")
  func nested() {
    let properties: [String: Any] = [
      "order": ["id": "A-17", "total": 12.5, "count": 3, "gift": true, "note": NSNull()] as [String: Any],
      "items": ["tea", 2, false, [1, [2.0]] as [Any], ["a": nil as Int?]] as [Any],
      "empty": [String: Any](), "none": [Any](), "nothing": Optional<String>.none as Any,
    ]
    #expect(
      json(properties)
        == #"{"empty":{},"items":["tea",2,false,[1,[2.0]],{"a":null}],"none":[],"nothing":null,"#
        + #""order":{"count":3,"gift":true,"id":"A-17","note":null,"total":12.5}}"#)
  }

  @Test("Each number becomes an integer, a double or a boolean, whichever it is")
  func numbers() throws {
    expect([
      (7, 7), (Int8(-7), -7), (Int16(7), 7), (Int32(7), 7), (Int64.min, .integer(.min)), (UInt(7), 7),
      (UInt8(1), 1), (UInt16(7), 7), (UInt32.max, .integer(4_294_967_295)), (UInt64(7), 7),
      (UInt64.max, .double(18_446_744_073_709_551_616)), (2.0, 2.0), (Float(0.1), 0.1),
      (CGFloat(0.5), 0.5), (Double.leastNonzeroMagnitude, .double(.leastNonzeroMagnitude)),
      (Decimal(7), 7), (try #require(Decimal(string: "0.1")), 0.1),
      (NSDecimalNumber(string: "1.5"), 1.5), (true, true), (false, false),
      (NSNumber(value: true), true), (NSNumber(value: false), false), (NSNumber(value: 1), 1),
      (NSNumber(value: 0), 0), (NSNumber(value: Int8(1)), 1), (NSNumber(value: 1.0), 1.0),
      (NSNumber(value: Float(0.1)), 0.1),
      (NSNumber(value: UInt64.max), .double(18_446_744_073_709_551_616)),
    ])
  }

  @Test("Texts, moments, addresses and bytes become texts")
  func texts() throws {
    let data = Data([0, 255])
    expect([
      ("é", "é"), ("abc".dropFirst(), "bc"), ("x" as Character, "x"), (NSString("ns"), "ns"),
      (Date(timeIntervalSince1970: 1_795_377_600), "2026-11-22T20:00:00.000Z"),
      (NSDate(timeIntervalSince1970: 0), "1970-01-01T00:00:00.000Z"),
      (try #require(URL(string: "https://example.com/a?b=c#d")), "https://example.com/a?b=c#d"),
      (try #require(NSURL(string: "file:///a")), "file:///a"),
      (
        try #require(UUID(uuidString: "910A2DEC-8902-4CC1-BEEB-8DA1658EEC67")),
        "910a2dec-8902-4cc1-beeb-8da1658eec67"
      ),
      (data, "AP8="), (NSData(data: data), "AP8="),
      // Half a surrogate pair and half a character have no UTF-8.
      (String(decoding: [0x61, 0xD800] as [UInt16], as: UTF16.self), "a\u{FFFD}"),
      (String(decoding: [0x61, 0xC3] as [UInt8], as: UTF8.self), "a\u{FFFD}"),
    ])
  }

  @Test("Optionals are what is in them, and containers of any type what they hold")
  func containers() {
    let table: [(Any, PropertyValue)] = [
      (NSNull(), nil), (Optional<Int>.none as Any, nil), (Optional(7) as Any, 7),
      (Optional(Optional("x")) as Any, "x"), ([1, 2], [1, 2]), (["a", "b"], ["a", "b"]),
      (["a", nil], ["a", nil]), (["a": 1], ["a": 1]), (["a": "b"], ["a": "b"]),
      (["a": ["b": [true]]], ["a": ["b": [true]]]), (["a": "b"] as [AnyHashable: Any], ["a": "b"]),
      (NSArray(array: [1, "x"]), [1, "x"]),
      (NSDictionary(dictionary: ["a": 1.5]), ["a": 1.5]),
      (PropertyValue.array([1, "x", nil, 1.5]), [1, "x", nil, 1.5]),
      (["a": PropertyValue.bool(true)], ["a": true]),
    ]
    expect(table)
    var wrapped: Any = 7
    for _ in 0..<1000 { wrapped = Optional(wrapped) as Any }
    expect([(wrapped, 7)])
  }

  @Test("What has no JSON is left out and counted, the rest is sent")
  func leftOut() {
    struct Unknown {}
    enum Named: String { case one }
    let table: [Any] = [
      Unknown(), Named.one, Double.nan, Double.infinity, -Double.infinity, Float.nan, CGFloat.infinity,
      Decimal.nan, NSDecimalNumber.notANumber, NSNumber(value: Double.nan), NSNumber(value: Float.infinity),
      Date(timeIntervalSince1970: .nan), Set(["a"]), (1, 2), { () in }, Int.self, NSObject(),
      Optional(Unknown()) as Any, PropertyValue.double(.nan),
    ]
    for value in table {
      let name = "\(type(of: value))"
      #expect(PropertyConversion.convert(["gone": value, "kept": 1]) == (["kept": 1], 1), "\(name)")
      let nested: [String: Any] = [
        "array": [1, value, "x"] as [Any],
        "object": ["gone": value, "kept": ["also": value]] as [String: Any],
      ]
      let converted = PropertyConversion.convert(nested)
      #expect(converted.values == ["array": [1, "x"], "object": ["kept": [:]]], "\(name)")
      #expect(converted.leftOut == 3)
    }
    let names = PropertyConversion.convert(["a": [1: "x", "y": 2] as [AnyHashable: Any]])
    #expect(names == (["a": ["y": 2]], 1))
  }

  @Test("What nests deeper than the limit is left out, and what is at the limit is written")
  func depth() throws {
    var (deepest, tooDeep): (Any, Any) = ("end", ["end"])
    for level in 1..<PropertyConversion.depthLimit {
      deepest = level % 2 == 0 ? ["a": deepest] as [String: Any] : [deepest]
      tooDeep = level % 2 == 0 ? ["a": tooDeep] as [String: Any] : [tooDeep]
    }
    #expect(PropertyConversion.convert(["deep": deepest]).leftOut == 0)
    #expect(json(["deep": deepest]).contains("end"))
    #expect(!json(["deep": deepest]).contains("null"))
    let converted = PropertyConversion.convert(["deep": tooDeep, "kept": 1])
    #expect(converted.leftOut == 1)
    #expect(converted.values["kept"] == 1)
    #expect(!json(["deep": tooDeep]).contains("end"))
  }

  @Test("A value that holds itself many times over neither takes forever nor much memory")
  func size() {
    var arrays: Any = "leaf"
    var objects: Any = [String: Any]()
    for _ in 0..<60 {
      arrays = [arrays, arrays]
      objects = ["a": objects, "b": objects]
    }
    #expect(PropertyConversion.convert(["arrays": arrays]).leftOut > 0)
    #expect(PropertyConversion.convert(["objects": objects]).leftOut > 0)
    let long = String(repeating: "x", count: PropertyConversion.sizeLimit / 3)
    let converted = PropertyConversion.convert(["texts": [long, long, long, long]])
    #expect(converted.values == ["texts": [.text(long), .text(long)]])
    #expect(converted.leftOut == 2)
    #expect(PropertyConversion.convert(["data": Data(count: PropertyConversion.sizeLimit)]) == ([:], 1))
    let names = [String(repeating: "n", count: PropertyConversion.sizeLimit): 1]
    #expect(PropertyConversion.convert(["a": [names, names]]).leftOut == 1)
  }

  @Test("Typed properties are taken as they are, without what cannot be sent")
  func typed() {
    let fine: [String: PropertyValue] = ["a": [1, 2.5, ["b": nil]], "c": "x"]
    #expect(PropertyConversion.check(fine) == (fine, 0))
    #expect(PropertyConversion.check(["a": [1, .double(.nan)], "b": .double(.infinity)]) == (["a": [1]], 2))
    var deep: PropertyValue = 1
    for _ in 0..<PropertyConversion.depthLimit { deep = [deep] }
    #expect(PropertyConversion.check(["a": deep]).leftOut == 1)
    let long = PropertyValue.text(String(repeating: "x", count: PropertyConversion.sizeLimit))
    #expect(PropertyConversion.check(["a": long]) == ([:], 1))
    #expect(PropertyConversion.check(["a": [:]]) == (["a": [:]], 0))
  }

  /// Each value alone, in an array and in an object becomes what is expected.
  private func expect(_ table: [(Any, PropertyValue)]) {
    for (any, expected) in table {
      let name = "\(type(of: any))"
      #expect(PropertyConversion.convert(["value": any]) == (["value": expected], 0), "\(name)")
      let nested: [String: Any] = ["array": [any, any], "object": ["value": any]]
      #expect(
        PropertyConversion.convert(nested)
          == (["array": [expected, expected], "object": ["value": expected]], 0), "\(name)")
    }
  }

  private func json(_ properties: [String: Any]) -> String {
    var bytes: [UInt8] = []
    PropertyWriter.append(PropertyConversion.convert(properties).values, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
