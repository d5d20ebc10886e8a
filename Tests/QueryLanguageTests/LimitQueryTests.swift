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
      ("age > 1m", "30s", true), ("age > 1m", "2h", false),
    ])
  func clears(text: String, clear: String, isSound: Bool) throws {
    var limit = try LimitQuery(text)
    #expect(limit.setClear(clear) == isSound)
  }

  @Test(
    "is one figure over or under a number",
    arguments: [
      "", "api", "p95 > 4 and p99 > 5", "p95 > 4 or p99 > 5", "not p95 > 4", "p95 >= 4", "p95 = 4",
      "api or p95 > 4",
    ])
  func others(text: String) {
    let error = #expect(throws: QueryError.self) { try LimitQuery(text) }
    #expect(error?.message.hasPrefix("a limit is one figure") ?? false)
  }

  @Test("knows neither states nor fields", arguments: ["firing and p95 > 4", "route = /feed and p95 > 4"])
  func unknown(text: String) {
    #expect(throws: QueryError.self) { try LimitQuery(text) }
  }
}
