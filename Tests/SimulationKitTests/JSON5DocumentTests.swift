import Codecs
import Essentials
import SimulationKit
import Testing

@Suite("JSON5")
struct JSON5DocumentTests {
  @Test("values are found by their names, whatever stands around them")
  func places() throws {
    let document = try JSON5Document(
      """
      // {a: 1}
      {
        theme: 'dark', /* two
        lines */ 'key s': [1,
          {x: "}", y: [2, 3]}, ],
        limits: [
          {metric: 'a\\'b', above: 1},

          {metric: "c", for: '1s'},
        ],
      }
      """)
    let expected = [
      "": (2, 1), "theme": (3, 10), "key s": (4, 21), "key s[0]": (4, 22), "key s[1]": (5, 5),
      "key s[1].x": (5, 9), "key s[1].y[1]": (5, 21), "limits": (6, 11), "limits[0]": (7, 5),
      "limits[0].above": (7, 29), "limits[1].for": (9, 24), "limits[1].missing": (9, 5), "missing": (2, 1),
    ]
    for (place, (line, column)) in expected {
      let found = try #require(document.location(of: place))
      #expect(found == (line, column), "\(place): \(found)")
    }
  }

  static let readable: [(text: String, value: JSONValue)] = [
    ("5", .integer(5)), ("+5", .integer(5)), ("-5.0", .integer(-5)), ("1e3", .integer(1000)),
    (".5", .number(0.5)),
    ("-.5", .number(-0.5)), ("5.", .integer(5)), ("5.e1", .integer(50)), ("2.5E-1", .number(0.25)),
    ("0", .integer(0)), ("0xFf", .integer(255)), ("-0X10", .integer(-16)),
    ("0xFFFFFFFFFFFFFFFF", .number(0x1p64)), ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number(0x1p63)), ("Infinity", .number(.infinity)),
    ("-Infinity", .number(-.infinity)), ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    ("'a\"b'", .string("a\"b")), ("\"a\tb\"", .string("a\tb")),
    (#"'\x41\u00e9\b\f\n\r\t\v\0\'\q'"#, .string("A\u{E9}\u{8}\u{C}\n\r\t\u{B}\0'q")),
    (#"'\uD83D\uDE00'"#, .string("\u{1F600}")), ("'a\\\nb\\\r\nc'", .string("abc")),
    ("'a\u{2028}b'", .string("a\u{2028}b")), ("[]", .array([])),
    ("[1, 'x', null,]", .array([.integer(1), .string("x"), .null])),
    ("{}", .object([:])), ("{a: 1, a: 2}", .object(["a": .integer(1)])),
    (
      #"{$_é1: {'b c': 2}, \u0061b: 3}"#, .object(["$_é1": .object(["b c": .integer(2)]), "ab": .integer(3)])
    ),
    ("\u{FEFF}\u{A0}\u{B}\u{C}/* x */ 1 // end", .integer(1)), ("// a\r1", .integer(1)),
  ]

  @Test("every kind of value is read", arguments: readable)
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSON5Document(text).value == value)
  }

  @Test("what is no number is kept as such")
  func noNumber() throws {
    for text in ["NaN", "+NaN", "-NaN"] { #expect(try JSON5Document(text).value.double?.isNaN == true) }
  }

  static let wrong: [(text: String, place: String, problem: String)] = [
    ("{\n a: 1\n b: 2}", "3:2", "expected a comma before 'b'"), ("{\n a }", "2:4", "expected a colon"),
    ("{a 1}", "1:4", "expected a colon before '1'"), ("{a: {b: 1}\n{", "2:1", "expected a comma"),
    ("[1 'x']", "1:4", "expected a comma before 'x'"),
    ("{a: @}", "1:5", "'@' is not a value; strings need quotes"),
    ("{a: dark}", "1:5", "'dark' is not a value; strings need quotes"),
    ("{5: 1}", "1:2", "'5' is not a name"),
    (#"{\x41: 1}"#, "1:2", #"'\x41' is not a name"#), ("{a: 1,, b: 2}", "1:7", "there is an extra comma"),
    ("[,]", "1:2", "there is an extra comma"), ("{a:: 1}", "1:4", "there is an extra colon"),
    ("[1}", "1:3", "there is an extra }"), ("{a: [1\n}", "2:1", "there is an extra }"),
    ("{a: }", "1:5", "there is an extra }"), ("]", "1:1", "there is an extra ]"),
    ("{a: 'x\n}", "1:5", "the string is not closed on its line"),
    ("'x", "1:1", "the last string is not closed"),
    ("{a: 1", "1:6", "the last { or [ is not closed"), ("{", "1:2", "the last { or [ is not closed"),
    ("{} {}", "1:4", "expected nothing more"), ("1 2", "1:3", "expected nothing more before '2'"),
    ("", "1:1", "there is no value"), ("/* a\n", "2:1", "the last comment is not closed"),
    ("/", "1:1", "there is an extra /"), ("{ window: 012 }", "1:11", "'012' is not a number"),
    ("0x", "1:1", "'0x' is not a number"), ("1e", "1:1", "'1e' is not a number"),
    (".", "1:1", "'.' is not a number"),
    ("1.2.3", "1:1", "'1.2.3' is not a number"), ("+-1", "1:1", "'+-1' is not a number"),
    (#"['é', '\u12']"#, "1:8", #"\u needs four digits that name a character"#),
    (#"'\uD800'"#, "1:2", #"\u needs four digits that name a character"#),
    (#"'\xg0'"#, "1:2", #"\x needs two digits that name a character"#),
    (#"'\1'"#, "1:2", "a digit cannot be escaped"),
    (#"'\01'"#, "1:2", "a digit cannot be escaped"),
    ("\r\n\r\n'a\0'", "3:3", "a string cannot hold a character 0"),
    ("{\0: 1}", "1:2", "'\0' is not a name"),
  ]

  @Test("the first thing that is no JSON5 is found", arguments: wrong)
  func refuses(text: String, place: String, problem: String) {
    let fault = #expect(throws: JSON5Document.Fault.self) { try JSON5Document(text) }
    #expect(fault.map { "\($0.line):\($0.column)" } == place)
    #expect(fault?.text == "this is not JSON5: \(problem)")
  }

  @Test("a number that no type holds, and bytes that are no text, are named with their line")
  func others() {
    func told(_ data: Data) -> String? {
      let fault = #expect(throws: JSON5Document.Fault.self) { try JSON5Document(data) }
      return fault.map { "\($0.line):\($0.column) \($0.text)" }
    }
    #expect(told(Data("{a:\n 1e400}".utf8)) == "2:2 1e400 is a number out of range")
    #expect(told(Data("0x10000000000000000".utf8)) == "1:1 0x10000000000000000 is a number out of range")
    #expect(told(Data("{a:\n '".utf8 + [0xFF] + "'}".utf8)) == "2:1 this is not valid UTF-8")
  }

  @Test("values deeper than the limit are refused where they begin")
  func deep() throws {
    let limit = JSON5Document.deepest
    let text = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    _ = try JSON5Document(text)
    let fault = #expect(throws: JSON5Document.Fault.self) {
      try JSON5Document(String(repeating: "[", count: 500_000))
    }
    #expect(fault?.text == "values are nested more than 64 levels deep" && fault?.column == limit + 1)
  }

  @Test(
    "whatever the text, it ends", arguments: ["", "}", "]]]{", "'", "/*", "/", "\\", "{a", "{:,:}", "[\"\\"])
  func garbage(text: String) {
    #expect(throws: JSON5Document.Fault.self) { try JSON5Document(text) }
  }
}
