import QueryLanguage
import Testing

@Suite("A query chooses samples")
struct QuerySampleTests {
  static let sample = TestSubject(
    name: "api.call",
    samples: [
      [
        "route": .text("/feed"), "status": .number(503), "ok": .bool(true), "net": .text("slow wifi"),
        "ver": .text("2.10"), "gone": .null, "duration_ms": .number(1500), "size_bytes": .number(10_240),
        "app.name": .text("Notes"), "p95": .number(7), "build": .text("512"),
      ]
    ])

  @Test(
    "By their fields",
    arguments: [
      ("route = /feed", true), ("route == /feed", true), ("route=/FEED", true), ("route = \"/feed\"", true),
      ("route != /feed", false), ("route = /feed?x=1", false), ("route = /f*", true), ("route = *e?d", true),
      ("net = \"slow wifi\"", true), ("net = slow*", true), ("net = \"slow*\"", false), ("net != wifi", true),
      ("status >= 500", true), ("status = 503", true), ("status = 5*", true), ("status = \"503\"", false),
      ("status < 500", false), ("ver = 2.*", true), ("ver = 2.1", false), ("ver > 1", false),
      ("build = 512", true),
      ("ok = true", true), ("ok = TRUE", true), ("ok != false", true), ("ok = 1", false),
      ("duration_ms > 1.4s", true), ("duration_ms = 1.5s", true), ("duration_ms > 1KB", false),
      ("size_bytes = 10KiB", true), ("app.name = notes", true), ("\"p95\" = 7", true),
    ])
  func fields(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(sample: Self.sample) == isMatch)
  }

  @Test(
    "A field that is not there counts as null",
    arguments: [
      ("nothing = 5", false), ("nothing != 5", true), ("nothing = *", false), ("nothing != *", true),
      ("nothing > 5", false), ("not nothing > 5", true), ("nothing = null", true), ("nothing != null", false),
      ("gone = null", true), ("gone != null", false), ("gone = \"null\"", false), ("route != null", true),
    ])
  func missing(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(sample: Self.sample) == isMatch)
    #expect(try Query.parse("not (\(text))").matches(sample: Self.sample) != isMatch)
  }

  @Test(
    "By names and fields; what chooses metrics is left out",
    arguments: [
      ("api route = /feed", true, true), ("sync route = /feed", false, true),
      ("api route = /x", false, false),
      ("(sync or route = /feed) call", true, true), ("(sync or route = /x)", false, false),
      ("api and p95 > 5 and firing", true, true), ("sync and firing", false, true),
    ])
  func names(text: String, isMatch: Bool, fits: Bool) throws {
    let query = try Query.parse(text)
    #expect(query.matches(sample: Self.sample) == isMatch)
    #expect(query.matches(fieldsOf: Self.sample) == fits)
  }
}
