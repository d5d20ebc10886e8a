import QueryLanguage
import Testing

@Suite("What is wrong with a query")
struct QueryErrorTests {
  @Test(
    "Is said in a sentence, with its place",
    arguments: [
      (
        "p90 > 5", "'p90' is not known, only p50, p95 and p99 are; did you mean p95?",
        """
        p90 > 5
        ^~~
        """
      ),
      (
        "api and p59 > 5", "'p59' is not known, only p50, p95 and p99 are; did you mean p95?",
        """
        api and p59 > 5
                ^~~
        """
      ),
      (
        "p95 > 400mss", "'mss' is not a unit; did you mean ms?",
        """
        p95 > 400mss
                 ^~~
        """
      ),
      (
        "p95 > fast", "'fast' is not a number",
        """
        p95 > fast
              ^~~~
        """
      ),
      (
        "p95 >", "a number is missing after >",
        """
        p95 >
             ^
        """
      ),
      (
        "route =  and x", "a value is missing after =",
        """
        route =  and x
                 ^
        """
      ),
      (
        "route = ", "a value is missing after =",
        """
        route =\(" ")
                ^
        """
      ),
      (
        "age > 10KB", "'10KB' does not fit: age is a time, such as 30s",
        """
        age > 10KB
              ^~~~
        """
      ),
      (
        "now > 10/s", "'10/s' does not fit: now is in the unit of the metric",
        """
        now > 10/s
              ^~~~
        """
      ),
      (
        "p95 => 5", "'=>' is not an operator; did you mean >=?",
        """
        p95 => 5
            ^~
        """
      ),
      (
        "a & b", "'&' is not an operator; did you mean &&?",
        """
        a & b
          ^
        """
      ),
      (
        "api and", "a condition is missing here",
        """
        api and
               ^
        """
      ),
      (
        "(api or sync", "the parenthesis is not closed",
        """
        (api or sync
        ^
        """
      ),
      (
        "api) or sync", "the parenthesis was not opened",
        """
        api) or sync
           ^
        """
      ),
      (
        "api \"sync", "the quote is not closed",
        """
        api "sync
            ^
        """
      ),
      (
        "/feed", "the pattern has no closing /; put a path in quotes, such as \"/feed\"",
        """
        /feed
        ^~~~~
        """
      ),
      (
        "/api/users", "a space must follow the closing / of a pattern; put a path in quotes",
        """
        /api/users
        ^~~~~
        """
      ),
      (
        "route > abc", "'abc' is not a number",
        """
        route > abc
                ^~~
        """
      ),
      (
        "route > \"abc\"", "'\"abc\"' is not a number; strings are compared with = and != only",
        """
        route > "abc"
                ^~~~~
        """
      ),
      (
        "p95 > 5 or route = /feed",
        "a field chooses samples and a figure or state chooses metrics: combine them only with and",
        """
        p95 > 5 or route = /feed
                   ^~~~~~~~~~~~~
        """
      ),
      (
        "not (route = /feed and api and firing)",
        "a field chooses samples and a figure or state chooses metrics: combine them only with and",
        """
        not (route = /feed and api and firing)
                                       ^~~~~~
        """
      ),
      (
        "api /a(b/", "the group is not closed",
        """
        api /a(b/
              ^
        """
      ),
      (
        "/(a)\\1/", "back references are not supported",
        """
        /(a)\\1/
            ^~
        """
      ),
      (
        "x /((a{90}){90})/", "the pattern is too complex; repeat less",
        """
        x /((a{90}){90})/
          ^~~~~~~~~~~~~~~
        """
      ),
      (
        "é漢 p90 > 5", "'p90' is not known, only p50, p95 and p99 are; did you mean p95?",
        """
        é漢 p90 > 5
            ^~~
        """
      ),
    ])
  func sentences(text: String, message: String, picture: String) throws {
    let error = try #require(throws: QueryError.self) { try Query.parse(text) }
    #expect(error.message == message)
    #expect(error.caret(in: text) { $0 == "漢" ? 2 : 1 } == picture)
  }

  @Test("Holds nothing that a terminal obeys")
  func harmless() throws {
    let text = "p95 > \u{1B}[2J\u{9B}\u{202E}x"
    let error = try #require(throws: QueryError.self) { try Query.parse(text) }
    #expect(error.message == "'?[2J??x' is not a number")
    #expect(error.caret(in: text) == "p95 > ?[2J??x\n      ^~~~~~~")
  }

  @Test("Of a long text shows what is around the error")
  func long() throws {
    let text = String(repeating: "abcdefgh ", count: 40) + "p90 > 5 " + String(repeating: "x", count: 100)
    let error = try #require(throws: QueryError.self) { try Query.parse(text) }
    let lines = error.caret(in: text).split(separator: "\n")
    #expect(lines[0].count == 78 && lines[0].hasPrefix("…") && lines[0].hasSuffix("x…"))
    #expect(lines[1] == String(repeating: " ", count: 26) + "^~~")
    #expect(lines[0].dropFirst(26).hasPrefix("p90 > 5"))
  }

  @Test("Ends what is too long or too deep")
  func limits() throws {
    #expect(try Query.parse(String(repeating: "a ", count: 1000)).matches(name: "a"))
    #expect(throws: QueryError.self) { try Query.parse(String(repeating: "a", count: 2001)) }
    #expect(throws: QueryError.self) { try Query.parse("e" + String(repeating: "\u{301}", count: 100_000)) }
    for open in ["(", "not ", "!"] {
      let deepest = String(repeating: open, count: 64)
      let close = open == "(" ? String(repeating: ")", count: 64) : ""
      #expect(throws: Never.self) { try Query.parse(deepest + "a" + close) }
      let error = try #require(throws: QueryError.self) { try Query.parse(deepest + open + "a") }
      #expect(error.message == "more than 64 nested parentheses or nots")
    }
  }
}

@Suite("What cannot be known")
struct QueryKnowledgeTests {
  @Test(
    "Is refused where it stands",
    arguments: [
      ("api and p95  > 3", Query.Knowledge.fields, 8..<11), ("api > 400", [.figures], 0..<3),
      ("> 400", .fields, 0..<1),
      ("not firing", [.figures, .fields], 4..<10), ("\"p95\" = 3", .figures, 0..<5),
    ] as [(String, Query.Knowledge, Range<Int>)])
  func refused(text: String, knowledge: Query.Knowledge, range: Range<Int>) throws {
    let error = try #require(throws: QueryError.self) { try Query.parse(text, knowing: knowledge) }
    #expect(error.range == range)
    #expect(error.message.contains("not known here"))
    #expect(throws: Never.self) { try Query.parse(text) }
  }
}
