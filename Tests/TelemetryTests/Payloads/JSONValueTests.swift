import Codecs
import Testing

@testable import TelemetryCore

@Suite("The JSON of payloads")
struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue {
    var position = 0
    return try JSONValue(Array(text.utf8), at: &position)
  }

  @Test(
    "whole numbers are exact",
    arguments: [
      ("18446744073709551615", JSONValue.unsigned(.max)), ("9223372036854775808", .unsigned(1 << 63)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("18446744073709551616", .wide("18446744073709551616")),
      ("-9223372036854775809", .wide("-9223372036854775809")),
      ("0", .integer(0)), ("1.0", .number(1)), ("1e3", .number(1000)), ("-2.5E-1", .number(-0.25)),
    ])
  func numbers(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test("texts with every escape")
  func texts() throws {
    #expect(
      try parse(#""a\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00é""#) == .string("a\"\\/\u{8}\u{C}\n\r\tAé😀é"))
    #expect(try parse(#""\ud800x\ud800\u0041\udc00""#) == .string("\u{FFFD}x\u{FFFD}A\u{FFFD}"))
    #expect(try parse("\u{FEFF}[true, false,null]") == .array([.bool(true), .bool(false), .null]))
  }

  @Test(
    "what is wrong is told with its byte",
    arguments: [
      ("", JSONSyntaxError.Reason.endsTooEarly, 0), ("{\"a\":}", .expected("a value"), 5),
      ("{\"a\" 1}", .expected("a colon"), 5), ("{\"a\":1 2}", .expected("a comma or }"), 7),
      ("[1 2]", .expected("a comma or ]"), 3), ("{a:1}", .expected("a key"), 1),
      ("{\"a\":1,}", .expected("a key"), 7),
      ("\"a\nb\"", .controlCharacter, 2), ("\"\\x\"", .badEscape, 2), ("\"\\u12g4\"", .badEscape, 5),
      ("01", .badNumber, 0),
      ("-x", .badNumber, 1), ("1.", .endsTooEarly, 2), ("1e999", .numberTooLarge, 0),
      ("tru", .expected("a value"), 0),
      ("\"abc", .endsTooEarly, 4), ("[1,", .endsTooEarly, 3),
    ])
  func errors(_ text: String, _ reason: JSONSyntaxError.Reason, _ offset: Int) {
    #expect(throws: JSONSyntaxError(reason: reason, offset: offset)) { try parse(text) }
  }

  @Test("nesting ends at the limit, not at the end of the stack")
  func nesting() throws {
    let limit = JSONTokenizer.nestingLimit
    #expect(throws: Never.self) {
      try parse(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))
    }
    #expect(throws: JSONSyntaxError(reason: .tooDeep, offset: limit)) {
      try parse(String(repeating: "[", count: 1_000_000))
    }
  }

  @Test("the text is Apple's")
  func printing() {
    let value = JSONValue.object([
      "b": .array([]), "a": .object([:]),
      "c": .array([.string("a/b"), .integer(1), .bool(true), .null, .number(0.5)]),
    ])
    #expect(
      String(decoding: PrettyJSON(value).bytes, as: UTF8.self) == """
        {
          "a" : {

          },
          "b" : [

          ],
          "c" : [
            "a\\/b",
            1,
            true,
            null,
            0.5
          ]
        }
        """)
  }
}
