import SimulationKit
import Testing

@Suite("Places in JSON5")
struct JSON5PlacesTests {
  @Test("values are found by their names, whatever stands around them")
  func lines() {
    let places = JSON5Places(
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
      "theme": 3, "key s": 4, "key s[0]": 4, "key s[1]": 5, "key s[1].x": 5, "key s[1].y[1]": 5, "limits": 6,
      "limits[0]": 7, "limits[0].above": 7, "limits[1]": 9, "limits[1].for": 9,
    ]
    for (place, line) in expected { #expect(places.lines[place] == line, "\(place)") }
    #expect(places.depth == 4)
  }

  @Test(
    "whatever the text, it ends", arguments: ["", "}", "]]]{", "'", "/*", "/", "\\", "{a", "{:,:}", "[\"\\"])
  func garbage(text: String) { #expect(JSON5Places(text).depth <= 2) }

  @Test(
    "the first thing that is no JSON5 is found",
    arguments: [
      ("{a: 1,\n b: 2}", nil), ("[1, 'x', -.5, +Infinity, 0xFF, null,]", nil), ("{'a': {}, b: []}", nil),
      ("5", nil),
      ("{a: 'one \\\n line'}", nil), ("{\n a: 1\n b: 2}", "3 expected a comma before 'b'"),
      ("{\n a }", "2 expected a colon"), ("{a: @}", "1 '@' is not a value; strings need quotes"),
      ("{a: dark}", "1 'dark' is not a value; strings need quotes"), ("{5: 1}", "1 '5' is not a name"),
      ("{a: 1,, b: 2}", "1 there is an extra comma"), ("{a:: 1}", "1 there is an extra colon"),
      ("[1}", "1 there is an extra }"), ("{a: [1\n}", "2 there is an extra }"),
      ("{a: 'x\n}", "1 the string is not closed on its line"), ("{a: 1", "1 the last { or [ is not closed"),
      ("{} {}", "1 expected nothing more"), ("", "1 there is no value"),
      ("/* a\n", "2 the last comment is not closed"),
      ("{a 1}", "1 expected a colon before '1'"), ("{a: {b: 1}\n{", "2 expected a comma"),
      ("/", "1 there is an extra /"), ("{a:\n 1e400}", "2 1e400 is a number out of range"),
    ] as [(String, String?)])
  func faults(text: String, fault: String?) {
    #expect(JSON5Places(text).fault.map { "\($0.line) \($0.text)" } == fault)
  }

  @Test("deep nests are counted, not kept")
  func deep() {
    let places = JSON5Places(String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000))
    #expect(places.depth == 500_000 && places.lines.count <= JSON5Places.deepest)
  }
}
