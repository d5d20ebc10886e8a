import QueryLanguage
import Testing

@Suite("What may be typed next")
struct QueryCompletionTests {
  static let vocabulary = QueryCompletion.Vocabulary(
    names: ["api.request_ms", "api.size_bytes", "sync.push_ms", "odd name", "firing"],
    fields: ["route", "status", "net", "max"],
    values: ["route": ["/feed", "/home", "/a b"], "net": ["wifi", "slow wifi", "2.*"]])

  @Test(
    "Is what the words before ask for; | is the cursor",
    arguments: [
      (
        "|",
        "now p50 p95 p99 max min mean n rate age firing silent changed not route status net \"max\" api.request_ms",
        0
      ),
      ("p9|", "p95 p99", 2), ("P9|", "p95 p99", 2), ("fir|", "firing \"firing\"", 3),
      ("req|", "api.request_ms", 3), ("pu|", "sync.push_ms", 2), ("ize|", "api.size_bytes", 3),
      ("odd|", "\"odd name\"", 3),
      ("api and s|", "silent status sync.push_ms api.size_bytes api.request_ms", 1),
      ("(s|", "silent status sync.push_ms api.size_bytes api.request_ms", 1),
      ("!s|", "silent status sync.push_ms api.size_bytes api.request_ms", 1),
      ("not fir|", "firing \"firing\"", 3),
      ("p95 |", "> >= < <= = !=", 0), ("p95|", "", 3), ("route |", "= != > < and or now p50 p95 p99 max", 0),
      ("p95 > |", "", 0), ("p95 > p|", "p50 p95 p99", 1), ("p95 > 2 * p5|", "p50", 2),
      ("p95>4|", "4ms 4s 4m 4KB 4MB 4MiB 4% 4k 4M", 1),
      ("> 40|", "40ms 40s 40m 40KB 40MB 40MiB 40% 40k 40M", 2),
      ("age > 5|", "5s 5m 5h 5d", 1), ("rate < 1.5|", "1.5/s 1.5/m 1.5/h", 3), ("p95 > 4ms|", "", 3),
      ("route = |", "/feed /home \"/a b\"", 0), ("route = /h|", "/home", 2), ("route=f|", "/feed", 1),
      ("net = w|", "wifi \"slow wifi\"", 1),
      ("net = \"sl|", "\"slow wifi\"", 3), ("net = 2|", "\"2.*\"", 1), ("nothing = |", "", 0),
      ("route = /feed an|", "and mean changed", 2),
      ("route = /feed |", "and or now p50 p95 p99 max min mean n", 0),
      ("api o|", "or \"odd name\" now not route", 1),
      ("\"fi|", "", 3), ("/ab|", "", 3), ("(api) |", "and or now p50 p95 p99 max min mean n", 0),
      ("p|95 > 5", "p50 p95 p99 sync.push_ms api.request_ms api.size_bytes", 1),
    ])
  func candidates(text: String, expected: String, begun: Int) throws {
    let cursor = try #require(text.firstIndex(of: "|"))
    let place = text.distance(from: text.startIndex, to: cursor)
    let limit = text == "|" ? 19 : text.hasPrefix("route |") ? 11 : 10
    let whole = text.replacing("|", with: "", maxReplacements: 1)
    let completion = QueryCompletion(of: whole, at: place, Self.vocabulary, limit: limit)
    #expect(completion.candidates.map(\.text).joined(separator: " ") == expected)
    #expect(completion.range.upperBound == place)
    if !expected.isEmpty { #expect(completion.range.count == begun) }
  }

  @Test("Is bounded, wherever the cursor is said to be")
  func bounds() {
    for cursor in [-5, 0, 3, 99] {
      let completion = QueryCompletion(of: "api", at: cursor, Self.vocabulary, limit: 2)
      #expect((0...3).contains(completion.range.lowerBound) && (0...3).contains(completion.range.upperBound))
      #expect(completion.candidates.count <= 2)
    }
  }

  @Test("What is taken parses")
  func parses() throws {
    for text in ["", "api ", "route = ", "net = w", "(sync or ", "odd", "fir"] {
      let completion = QueryCompletion(of: text, at: text.count, Self.vocabulary, limit: 50)
      for candidate in completion.candidates {
        switch candidate.kind {
        case .figure, .field, .keyword, .comparison: continue
        case .name, .state, .value, .number: break
        }
        let taken = text.prefix(completion.range.lowerBound) + candidate.text
        let whole = text.hasPrefix("(") ? taken + ")" : taken
        #expect(throws: Never.self, "\(whole)") { try Query.parse(String(whole)) }
      }
    }
  }
}
