import Codecs
import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Typed properties")
struct PropertyValueTests {
  @Test("Literals of every kind make a value")
  func literals() {
    let count = 3
    let properties: [String: PropertyValue] = [
      "text": "a", "built": "a\(count)", "integer": -3, "double": 2.5, "whole": 2.0, "bool": true,
      "array": [1, "x", [nil]], "object": ["a": ["b": false]], "nothing": nil,
    ]
    #expect(
      properties == [
        "text": .text("a"), "built": .text("a3"), "integer": .integer(-3), "double": .double(2.5),
        "whole": .double(2), "bool": .bool(true),
        "array": .array([.integer(1), .text("x"), .array([.null])]),
        "object": .object(["a": .object(["b": .bool(false)])]), "nothing": .null,
      ])
    let twice: PropertyValue = ["a": 1, "a": 2]
    #expect(twice == .object(["a": .integer(2)]))
  }

  @Test("Foundation's coders take values for plain JSON")
  func coding() throws {
    let value: PropertyValue = [
      "a": [1, 2.5, "x", true, false, nil], "b": [:], "c": [], "d": .integer(.max),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(value)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"a":[1,2.5,"x",true,false,null],"b":{},"c":[],"d":9223372036854775807}"#)
    #expect(try JSONDecoder().decode(PropertyValue.self, from: data) == value)
  }

  @Test("Values are written in the order of their names, and doubles with a point or an exponent")
  func writing() {
    let table: [(PropertyValue, String)] = [
      (["b": 1, "a": 2, "B": 3, "": 4, "é": 5], #"{"":4,"B":3,"a":2,"b":1,"é":5}"#),
      ([.integer(.min), .integer(.max)], "[-9223372036854775808,9223372036854775807]"),
      ([3.0, -0.0, 1e20, 0.1, 1e-7], "[3.0,-0.0,1e+20,0.1,1e-07]"),
      (.double(.leastNonzeroMagnitude), "5e-324"), ([true, false, nil, [], [:]], "[true,false,null,[],{}]"),
      ("a\"b\\c/d\u{0}\u{1F}\n\r\t\u{8}\u{C}\u{7F}", #""a\"b\\c/d\u0000\u001f\n\r\t\b\f\#u{7F}""#),
      ("é 🇩🇪 \u{2028} \u{FFFE} e\u{301}", "\"é 🇩🇪 \u{2028} \u{FFFE} e\u{301}\""),
      ([.double(.nan), .double(.infinity)], "[null,null]"),
    ]
    for (value, text) in table { #expect(Array(text.utf8) == json(value), "\(text)") }
    #expect(json(["a": 1, "b": 2]) == json(.object(Dictionary(uniqueKeysWithValues: [("b", 2), ("a", 1)]))))
  }

  @Test("What nests too deep is cut off when it is written, instead of the stack")
  func deepWriting() {
    var deep: PropertyValue = "end"
    for _ in 0..<5000 { deep = .array([deep]) }
    let text = String(decoding: json(deep), as: UTF8.self)
    let limit = PropertyConversion.depthLimit
    #expect(text == String(repeating: "[", count: limit) + "null" + String(repeating: "]", count: limit))
  }

  @Test(
    "What is not valid JSON, or cannot be sent, is not read",
    arguments: [
      "", " ", "{", "[1,]", "nul", "01", "1e999", "\"a", "{\"a\":}", "[1] 2", "\"\\ud800\"",
      String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
      String(repeating: "[", count: 100_000),
    ])
  func refusals(text: String) {
    #expect(PropertyReader.value(Array(text.utf8)) == nil)
  }

  @Test("What is read is what is written, white space and repeated names aside")
  func reading() {
    #expect(
      PropertyReader.value(Array(#" { "a" : [ 1 , -0.5e1 , 1E2, 9223372036854775808 ] , "a" : 2 } "#.utf8))
        == ["a": [1, -5.0, 100.0, 9_223_372_036_854_775_808.0]])
    let limit = PropertyConversion.depthLimit
    let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(PropertyReader.value(Array(deepest.utf8)).map(json) == Array(deepest.utf8))
  }

  @Test(
    "Of what cannot be sent as it is written the reader says why",
    arguments: [
      ("1e999", .beyondDouble("1e999")), (#"{"a":[-1e400]}"#, .beyondDouble("-1e400")),
      ("9223372036854775808", .beyondInteger("9223372036854775808")),
      ("[-9223372036854775809]", .beyondInteger("-9223372036854775809")),
      (String(repeating: "[", count: 65), .tooDeep), ("9223372036854775808.0", nil), ("1e20", nil),
      ("-9223372036854775808", nil), ("x", nil), (#"{"a":1.5}"#, nil),
    ] as [(String, PropertyReader.Flaw?)])
  func flaws(text: String, flaw: PropertyReader.Flaw?) {
    Array(text.utf8).withUnsafeBytes { bytes in
      var (reader, tokenizer) = (PropertyReader(), JSONTokenizer(bytes))
      _ = reader.read(&tokenizer)
      #expect(reader.flaw == flaw)
    }
  }

  private func json(_ value: PropertyValue) -> [UInt8] {
    var bytes: [UInt8] = []
    PropertyWriter.append(value, to: &bytes)
    return bytes
  }
}
