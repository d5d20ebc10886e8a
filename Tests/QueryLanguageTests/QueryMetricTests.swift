import Codecs
import QueryLanguage
import Testing

@Suite("A query chooses metrics")
struct QueryMetricTests {
  static let request = TestSubject(
    name: "api.request_ms",
    figures: [
      .now: 450, .p50: 120, .p95: 400, .p99: 900, .max: 66_000, .min: 3, .mean: 150, .n: 12_000, .rate: 10,
      .age: 95,
    ],
    states: [.firing],
    samples: [["route": .text("/feed"), "status": .number(500)], ["route": .text("/home")]])

  @Test(
    "By names: words side by side, quotes, globs and expressions",
    arguments: [
      ("", true), ("api", true), ("API", true), ("api ms", true), ("api sync", false), ("quest_", true),
      ("\"i.re\"", true), ("\"api ms\"", false), ("api.*", true), ("API.*_MS", true), ("*request", false),
      ("api.request_m?", true), ("?api*", false), ("/^api\\.(re|pu)/", true), ("/REQUEST_MS$/", true),
      ("/^request/", false), ("/q.{3}t/", true), ("/[^a-z._]/", false), ("not sync", true), ("!api", false),
      ("sync or api", true), ("sync || queue", false), ("api and not (sync or queue)", true),
      ("not sync api", true), ("not (api sync)", true), ("sync or api ms", true),
      ("(sync or api) queue", false),
    ])
  func names(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(metric: Self.request) == isMatch)
  }

  @Test(
    "By figures, in the unit of the metric",
    arguments: [
      ("p95 > 399", true), ("p95 > 400", false), ("p95 >= 400ms", true), ("p95 = 0.4s", true),
      ("p95 != 400000us", false),
      ("max = 1.1m", true), ("max >= 66s", true), ("now > 400ms", true), ("> 400ms", true),
      ("< 400ms", false),
      (">400", true), ("p95 > 1KB", false), ("p95 < 1KB", false), ("p95 != 1KB", false), ("p95 > 1%", false),
      ("P95 > 0.3k", true), ("n = 12k", true), ("n >= 0.012M", true), ("rate >= 10/s", true),
      ("rate = 600/m", true),
      ("rate < 11", true), ("age > 1.5m", true), ("age < 95", false), ("mean > 1s", false), ("min<4", true),
      ("not p95 > 1KB", true), ("min > -1", true), ("min > +1ms", true),
    ])
  func figures(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(metric: Self.request) == isMatch)
  }

  @Test(
    "No comparison holds for a figure that is not there, or for no number",
    arguments: QueryOperator.allCases)
  func missing(comparison: QueryOperator) throws {
    let query = try Query.parse("p95 \(comparison.rawValue) 5")
    #expect(!query.matches(metric: TestSubject(name: "a")))
    #expect(!query.matches(metric: TestSubject(name: "a", figures: [.p95: .nan])))
  }

  @Test(
    "Units fit the metrics that measure them",
    arguments: [
      ("a_s", "now = 1.5s", 1.5), ("a_s", "now = 90000ms", 90), ("a_s", "now = 2h", 7200),
      ("a_s", "now = 1.1h", 3960),
      ("a_bytes", "now = 10KB", 10_000), ("a_bytes", "now = 10KiB", 10_240),
      ("a_bytes", "now = 1.5mib", 1_572_864),
      ("a_bytes", "now = 3M", 3_000_000), ("a_percent", "now = 95%", 95), ("a", "now = 12k", 12_000),
      ("a_ms", "now = 250ns", 0.00025), ("a_ms", "now = 7µs", 0.007), ("a_ms", "now = 2min", 120_000),
      ("a_ms", "now = 0.7s", 700), ("a_ms", "now = 1d", 86_400_000), ("a_us", "now = 400ms", 400_000),
      ("a_ns", "now = 1.5µs", 1_500), ("a_min", "now = 2h", 120), ("a_mb", "now = 1.5GB", 1_500),
      ("a_mib", "now = 1GiB", 1_024), ("a_kib", "now = 10KB", 9.765625), ("a_ratio", "now = 90%", 0.9),
      ("a_ratio", "now = 0.9", 0.9), ("a_per_s", "now = 12k", 12_000), ("us", "now = 7ms", 7_000),
    ])
  func units(name: String, text: String, value: Double) throws {
    let query = try Query.parse(text)
    #expect(query.matches(metric: TestSubject(name: name, figures: [.now: value])))
    #expect(!query.matches(metric: TestSubject(name: name, figures: [.now: value * 1.001])))
  }

  @Test(
    "By states, and by whether there are samples",
    arguments: [
      ("firing", true), ("silent", false), ("not changed", true), ("firing and p95 > 1s", false),
      ("\"firing\"", false), ("route = /feed", true), ("route = /x", false), ("not route = /feed", true),
      ("route = /feed and status >= 500", true), ("firing and route = /feed", true), ("status < 500", false),
      ("not (api and route = /x)", true), ("route = /feed firing api", true),
    ])
  func states(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(metric: Self.request) == isMatch)
  }

  @Test("Asks for figures only where the name fits")
  func lazy() throws {
    struct Named: QuerySubject {
      let name: String
      func figure(_ figure: QueryFigure) -> Double? {
        Issue.record("asked for \(figure)")
        return nil
      }
      var unit: ValueUnit { .plain }
      func isInState(_ state: QueryState) -> Bool { figure(.now) != nil }
      func hasSamples(where comparison: FieldComparison) -> Bool { figure(.now) != nil }
    }
    let query = try Query.parse("p95 > 200 and firing and route = /feed and (p99 > 5 or silent) and api")
    #expect(!query.matches(metric: Named(name: "sync.push_ms")))
    let either = try Query.parse("p95 > 200 or api")
    #expect(either.matches(metric: Named(name: "api.request_ms")))
  }

  @Test("Says what it needs")
  func needs() throws {
    let query = try Query.parse(" (route = /feed or a.b != 3) and p95 > 5 route = /x ")
    #expect(query.text == "(route = /feed or a.b != 3) and p95 > 5 route = /x")
    #expect(query.fields == ["route", "a.b"])
    #expect(query.needsFields && query.needsFigures && !query.needsStates && !query.isEmpty)
    #expect(try Query.parse("firing").needsStates)
    #expect(try Query.parse("  ").isEmpty)
    #expect(try Query.parse("api") == Query.parse("  api "))
  }
}
