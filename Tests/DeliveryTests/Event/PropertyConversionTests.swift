import Delivery
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

  @Test("Each kind of value becomes what it is")
  func kinds() throws {
    let data = Data([0, 255])
    let uuid = try #require(UUID(uuidString: "910A2DEC-8902-4CC1-BEEB-8DA1658EEC67"))
    let url = try #require(URL(string: "https://example.com/a?b=c#d"))
    let date = Date(timeIntervalSince1970: 1_795_377_600)
    let table: [(Any, PropertyValue)] = [
      ("é", "é"), ("abc".dropFirst(), "bc"), ("x" as Character, "x"), (NSString("ns"), "ns"),
      (7, 7), (Int8(-7), -7), (Int16(7), 7), (Int32(7), 7), (Int64.min, .integer(.min)), (UInt(7), 7),
      (UInt8(1), 1), (UInt16(7), 7), (UInt32.max, .integer(4_294_967_295)), (UInt64(7), 7),
      (UInt64.max, .double(18_446_744_073_709_551_616)), (2.0, 2.0), (Float(0.1), 0.1), (CGFloat(0.5), 0.5),
      (Decimal(7), 7), (try #require(Decimal(string: "0.1")), 0.1), (NSDecimalNumber(string: "1.5"), 1.5),
      (true, true), (false, false), (NSNumber(value: true), true), (NSNumber(value: false), false),
      (NSNumber(value: 1), 1), (NSNumber(value: 0), 0), (NSNumber(value: Int8(1)), 1),
      (NSNumber(value: 1.0), 1.0),
      (NSNumber(value: Float(0.1)), 0.1), (NSNumber(value: UInt64.max), .double(18_446_744_073_709_551_616)),
      (date, "2026-11-22T20:00:00.000Z"), (NSDate(timeIntervalSince1970: 0), "1970-01-01T00:00:00.000Z"),
      (url, "https://example.com/a?b=c#d"), (try #require(NSURL(string: "file:///a")), "file:///a"),
      (uuid, "910a2dec-8902-4cc1-beeb-8da1658eec67"), (data, "AP8="), (NSData(data: data), "AP8="),
      (NSNull(), nil), (Optional<Int>.none as Any, nil), (Optional(7) as Any, 7),
      (Optional(Optional("x")) as Any, "x"), ([1, 2], [1, 2]), (["a", nil], ["a", nil]), (["a": 1], ["a": 1]),
      (["a": ["b": [true]]], ["a": ["b": [true]]]), (["a": "b"] as [AnyHashable: Any], ["a": "b"]),
      (NSArray(array: [1, "x"]), [1, "x"]), (NSDictionary(dictionary: ["a": 1.5]), ["a": 1.5]),
      (PropertyValue.array([1, "x", nil]), [1, "x", nil]), (["a": PropertyValue.bool(true)], ["a": true]),
    ]
    for (any, expected) in table {
      let converted = PropertyConversion.convert(["value": any])
      #expect(converted.values == ["value": expected], "\(type(of: any)) \(any)")
      #expect(converted.leftOut == 0)
    }
  }

  private func json(_ properties: [String: Any]) -> String {
    var bytes: [UInt8] = []
    PropertyWriter.append(PropertyConversion.convert(properties).values, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
