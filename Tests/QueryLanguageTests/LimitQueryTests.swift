import Codecs
import QueryLanguage
import Testing

@Suite("A query as a limit")
struct LimitQueryTests {
  @Test("watches the metrics of its names, each in its own unit")
  func watches() throws {
    let limit = try LimitQuery("api.* and not *_bytes and p95 > 400ms")
    #expect(limit.figure == .p95 && !limit.isFloor)
    #expect(limit.matches(name: "api.get_ms") && !limit.matches(name: "db.get_ms"))
    #expect(!limit.matches(name: "api.get_bytes"))
    #expect(limit.bound(in: .milliseconds) == 400 && limit.bound(in: .seconds) == 0.4)
    #expect(limit.bound(in: .bytes) == nil)
  }

  @Test("an operator without a figure means the newest value; under is a floor")
  func floor() throws {
    let limit = try LimitQuery("cache and < 80%")
    #expect(limit.figure == .now && limit.isFloor && limit.bound(in: .percent) == 80)
  }

  @Test(
    "is over at a number of the same unit on its good side",
    arguments: [
      ("p95 > 400ms", "0.3s", true), ("p95 > 400ms", "400ms", true), ("p95 > 400ms", "500ms", false),
      ("p95 > 400ms", "300", false), ("p95 > 400", "300", true), ("p95 > 400", "nan", false),
      ("p95 < 4MB", "5MB", true), ("p95 < 4MB", "3MB", false), ("rate > 10/s", "5/s", true),
      ("age > 1m", "30s", true), ("age > 1m", "2h", false), ("p95 / p50 > 3", "2", true),
      ("p95 / p50 > 3", "4", false), ("p95 / p50 < 3", "4", true), ("p95 - p50 > 1s", "500ms", true),
      ("p95 - p50 > 1s", "500", false), ("p95 > 2 * p50", "5", false),
      ("errors.n / all.n > 1%", "0.5%", true),
    ])
  func clears(text: String, clear: String, isSound: Bool) throws {
    var limit = try LimitQuery(text)
    #expect(limit.setClear(clear) == isSound)
  }

  @Test("calculates, and is about the metric that is named first where it has no figure of its own")
  func calculates() throws {
    let limit = try LimitQuery("api.* and p95 > 2 * p50")
    #expect(limit.calculation?.subject == "p95" && limit.calculation?.bound == "2 * p50" && !limit.isFloor)
    #expect(limit.matches(name: "api.get_ms") && !limit.matches(name: "db.get_ms") && !limit.isOfAllNames)
    let subject = TestSubject(name: "api.get_ms", figures: [.p95: 900, .p50: 400])
    let sides = try #require(limit.calculation?.sides(for: subject))
    #expect(sides.value == 900 && sides.bound == 800 && sides.text(900) == "900ms")
    let ratio = try LimitQuery("errors.count / requests.count > 0.01")
    #expect(ratio.matches(name: "api.errors") && !ratio.matches(name: "api.requests") && ratio.isOfAllNames)
    #expect(try LimitQuery("age > 2 * 5s + 1m").figure == .age)
  }

  @Test(
    "is one figure over or under a number",
    arguments: [
      "", "api", "p95 >= 2 * p50", "p95 > 2 * p50 and p50 > 4", "not p95 > 2 * p50", "p95 > 4 and p99 > 5",
      "p95 > 4 or p99 > 5", "not p95 > 4", "p95 >= 4", "p95 = 4",
      "api or p95 > 4",
    ])
  func others(text: String) {
    let error = #expect(throws: QueryError.self) { try LimitQuery(text) }
    #expect(error?.message.hasPrefix("a limit is one comparison") ?? false)
  }

  @Test("knows neither states nor fields", arguments: ["firing and p95 > 4", "route = /feed and p95 > 4"])
  func unknown(text: String) {
    #expect(throws: QueryError.self) { try LimitQuery(text) }
  }
}
