import Codecs
import QueryLanguage
import Testing

@Suite("A query calculates")
struct CalculationTests {
  @Test(
    "with figures and numbers, in the unit of the metric",
    arguments: [
      // p50 120, p95 400, p99 900, max 66 000, min 3, mean 150, all in ms; n 12 000, rate 10/s, age 95 s.
      ("p95 > 2 * p50", true), ("p95 > 4 * p50", false), ("p95 > 2*p50", true), ("p95>2*p50", true),
      ("2 * p50 < p95", true), ("p95 / p50 > 3", true), ("p95/p50 > 3.4", false),
      ("(p95 - p50) / p50 > 2", true),
      ("p95 - p50 = 280ms", true), ("p95 - p50 = 0.28s", true), ("p95-p50 = 280", true),
      ("p95 - 100 > 299", true),
      ("p95 - 100ms = 0.3s", true), ("p95 + p50 * 2 = 640", true), ("(p95 + p50) * 2 = 1040", true),
      ("p95 - p50 - p50 = 160", true), ("p95 - (p50 - p50) = 400", true), ("p95 / 2 / 2 = 100", true),
      ("-p95 < -399", true), ("p95 > -(p50)", true), ("- p95 > 5", false), ("> 2 * p50", true),
      ("p95 = p95", true), ("p95 != p95", false), ("p50 < p95", true), ("p95 > p99", false),
      ("n / rate = 1200s", true), ("rate * 60s = 600", true), ("n / age > 100/s", true),
      ("age > 1m + 30s", true),
      ("age * 1000 > p95", true), ("max > 1m + 5s", true), ("p95 / p50 > 300%", true),
      ("p95 > 300% * p50", true),
      ("p95 > p50 + 10%", false), ("50% * p95 = 200ms", true), ("p95 * p50 > 47999", true),
      ("p95 * p50 > 48000", false), ("400ms < p95", false), ("400ms <= p95", true), ("(p95) > 399", true),
      ("p95 > (399)", true), ("p95 > 5 - 3", true), ("p95 > 5 -3", true), ("p95 > 2 *p50", true),
      ("p95 > 2 /p50", false),
      ("p95 > 2* p50", true), ("p95 > 1e-3*p50", true), ("P95 > 2 * P50", true), ("n > 2k + 9k", true),
      ("api p95 > 2 * p50 firing", true), ("not p95 > 2 * p50", false),
      ("p95 > 4 * p50 or p95 > 2 * p50", true),
      ("(p95 > 2 * p50 and api)", true), ("((p95 - p50) / p50 > 2 or x)", true), ("p95 > 2 * p50&&api", true),
    ])
  func values(text: String, isMatch: Bool) throws {
    #expect(try Query.parse(text).matches(metric: QueryMetricTests.request) == isMatch)
  }

  @Test(
    "without a value nothing holds, and its opposite does",
    arguments: [
      "p95 / p50 > 0", "p95 / p50 != 1", "p95 / p50 <= 1", "0 / p50 = 0", "p95 / (n - n) > 1",
      "p99 > 2 * n / n",
      "p95 > 2 * p99", "p95 * 1e300 * 1e300 > 1", "-(p95 / p50) < 1", "5 / (p95 * 1e308 * 10) < 1",
    ])
  func absent(text: String) throws {
    let subject = TestSubject(name: "a", figures: [.p95: 400, .p50: 0, .n: 3])
    #expect(try !Query.parse(text).matches(metric: subject))
    #expect(try Query.parse("not (\(text))").matches(metric: subject))
  }

  @Test(
    "a metric of another unit does not match",
    arguments: [
      ("a_bytes", "p95 - 100ms > 0", false), ("a_s", "p95 - 100ms > 0", true),
      ("a", "p95 - 100ms > 0", false),
      ("a_bytes", "p95 - p50 > 1KB", true), ("a_percent", "p95 - p50 > 5%", true),
      ("a_percent", "p95 / p50 > 5%", true),
      ("a", "p95 > 2 * age", false), ("a_s", "p95 > 2 * age", true), ("a_ms", "p95 > 2 * age", false),
      ("a", "p95 > n / 10", true), ("a_ms", "p95 > n / 10", false), ("a_bytes", "p95 / age > 10", true),
    ])
  func units(name: String, text: String, isMatch: Bool) throws {
    let subject = TestSubject(name: name, figures: [.p95: 5000, .p50: 2000, .n: 100, .age: 100])
    #expect(try Query.parse(text).matches(metric: subject) == isMatch)
  }

  static let metrics: [TestSubject] = {
    var metrics = [
      TestSubject(name: "errors", figures: [.n: 30, .now: 1]),
      TestSubject(name: "requests", figures: [.n: 1000]),
      TestSubject(name: "failed.count", figures: [.now: 7, .n: 2]),
      TestSubject(name: "get_ms", figures: [.p95: 400]),
      TestSubject(name: "db_s", figures: [.p95: 0.3]), TestSubject(name: "size_bytes", figures: [.p95: 3]),
    ]
    for place in metrics.indices { metrics[place].others = metrics }
    return metrics
  }()

  @Test(
    "with figures of metrics that are named, about the first of them or whichever has the figure",
    arguments: [
      ("errors.count / requests.count > 0.01", "errors"), ("errors.n / requests.n > 1%", "errors"),
      ("errors.n/requests.n > 0.03", ""), ("errors.n/requests.n >= 0.03", "errors"),
      ("failed.count * 1 = 7", "failed.count"), ("failed.count.n * 1 = 2", "failed.count"),
      ("0.5 * get_ms.p95 < db_s.p95", "get_ms"), ("get_ms.p95 - db_s.p95 = 100ms", "get_ms"),
      ("p95 > 2 * db_s.p95", ""), ("p95 > 1.3 * db_s.p95", "get_ms"), ("missing.p95 / get_ms.p95 > 0", ""),
      ("n > 0.5 * requests.n", "requests"), ("errors.n > 0.01 * requests.n", "errors"),
    ])
  func references(text: String, expected: String) throws {
    let query = try Query.parse(text)
    #expect(Self.metrics.filter { query.matches(metric: $0) }.map(\.name).joined(separator: " ") == expected)
  }

  @Test("knows which other metrics it needs")
  func concerns() throws {
    let query = try Query.parse("errors and errors.count / requests.count > 0.01")
    #expect(query.references.map(\.text) == ["errors.count", "requests.count"])
    #expect(query.concerns(name: "api.requests") && query.concerns(name: "api.errors"))
    #expect(!query.concerns(name: "api.get_ms") && query.needsFigures)
  }

  @Test(
    "Signs in names, patterns and values of fields are what they were",
    arguments: [
      ("api-request", "api-request"), ("2026-01-31", "2026-01-31"), ("p95 *_ms", "p95 and *_ms"),
      ("p95 > 5 *_ms", "*_ms and p95 > 5"), ("sync *rate", "sync and *rate"), ("api -max", "api and -max"),
      ("sync /(push|pull)_ms$/", "sync and /(push|pull)_ms$/"), ("p95 > 5 /p50/", "/p50/ and p95 > 5"),
      ("content-length > 500", "content-length > 500"), ("route = a*b", "route = a*b"),
      ("route = p95", "route = p95"),
      ("app.max = 2.4.1", "app.max = 2.4.1"), ("errors.n > 5", "errors.n > 5"),
      ("(api) > 5", "api and now > 5"),
      ("(net.status) > 5", "net.status and now > 5"), ("api and * and x", "api and * and x"),
      ("x -5", "x and -5"),
      ("\"max-min\" = 5", "\"max-min\" = 5"), ("\"p95/p50\"", "\"p95/p50\""),
      ("\"-p95\" = 5", "\"-p95\" = 5"), ("p95 > 2 and -p95", "-p95 and p95 > 2"),
      ("p95 > -5 api", "api and p95 > -5"),
      ("rate > 60/min", "rate > 60/min"), ("p95 api", "p95 and api"), ("* p95 > 5", "* and p95 > 5"),
      ("5 > 3", "\"5\" > 3"), ("\"5\" = p95", "\"5\" = p95"), ("-api", "-api"), ("- api", "- and api"),
      ("status >= 500 -x", "-x and status >= 500"),
    ])
  func names(text: String, canonical: String) throws {
    #expect(try Query.parse(text).canonicalText == canonical)
  }

  @Test(
    "Has one spelling, which reads back",
    arguments: [
      ("p95>2*p50", "p95 > 2 * p50"), ("((p95-p50))/p50>2", "(p95 - p50) / p50 > 2"),
      (">2*p50", "now > 2 * p50"),
      ("p95-(p50-n/rate)>1", "p95 - (p50 - n / rate) > 1"),
      ("p95 - (p50 - min) > 1", "p95 - (p50 - min) > 1"),
      ("p95 - p50 - min > 1", "p95 - p50 - min > 1"), ("p95 / (p50 / min) > 1", "p95 / (p50 / min) > 1"),
      ("p95 / (p50 * min) > 1", "p95 / (p50 * min) > 1"), ("(p95 * p50) / min > 1", "p95 * p50 / min > 1"),
      ("-p95 < --5", "-p95 < -(-5)"), ("-(p95 + 5) < +5", "-(p95 + 5) < +5"), ("+p95 > -(5)", "p95 > -(5)"),
      ("p95 > 5 --3", "p95 > 5 - -3"), ("p95 > 2 * p50 and api", "api and p95 > 2 * p50"),
      ("errors.count/requests.count > 0.01", "errors.count / requests.count > 0.01"),
      ("p95 - -p50 > 10/s*2s", "p95 - -p50 > 10/s * 2s"), ("rate - 10/s > 60/m", "rate - 10/s > 60/m"),
      ("not (p95 > 2*p50 api)", "not (api and p95 > 2 * p50)"), ("10ms + 5ms<p95", "10ms + 5ms < p95"),
    ])
  func spelling(text: String, canonical: String) throws {
    let query = try Query.parse(text)
    #expect(query.canonicalText == canonical)
    #expect(try Query.parse(query.canonicalText) == query)
  }
}

@Suite("What is wrong with a calculation")
struct CalculationErrorTests {
  @Test(
    "Is said in a sentence, with its place",
    arguments: [
      ("p95 > 2 * ", "a figure or a number is missing after *", 10..<10),
      ("p95 > 2 * and x", "a figure or a number is missing after *", 10..<10),
      (
        "p95 > 2 * foo",
        "'foo' is neither a figure nor a number; a figure of another metric is written name.p95", 10..<13
      ),
      (
        "errors / requests > 0.01",
        "'errors' is neither a figure nor a number; a figure of another metric is written name.p95", 0..<6
      ),
      (
        "errors.n / requests > 0.01",
        "'requests' is neither a figure nor a number; a figure of another metric is written name.p95", 11..<19
      ),
      (
        "status > 2 * p50",
        "'status' is neither a figure nor a number; a figure of another metric is written name.p95", 0..<6
      ),
      (
        "api - x > 5",
        "'api' is neither a figure nor a number; a figure of another metric is written name.p95", 0..<3
      ),
      (
        "p95 - foo", "'foo' is neither a figure nor a number; a figure of another metric is written name.p95",
        6..<9
      ),
      ("p95 / p50", "a comparison is missing behind the calculation, such as > 2", 9..<9),
      ("p95/p50", "a comparison is missing behind the calculation, such as > 2", 7..<7),
      ("p95 > 2 * p90", "'p90' is not known, only p50, p95 and p99 are; did you mean p95?", 10..<13),
      ("p90 / p50 > 2", "'p90' is not known, only p50, p95 and p99 are; did you mean p95?", 0..<3),
      ("p95 > 2 * 400mss", "'mss' is not a unit; did you mean ms?", 13..<16),
      (
        "p95 > 2 * 400 ms",
        "a unit follows its number without a space; put the name 'ms' in quotes; did you mean 400ms?", 10..<16
      ),
      ("p95 > (p50 + 5", "the parenthesis is not closed", 6..<7),
      ("p95 / p50 => 5", "'=>' is not an operator; did you mean >=?", 10..<12),
      ("p95 / p50 >", "a number is missing after >", 11..<11),
      ("2 * 3 > 5", "a figure is missing, such as p95: only numbers are compared here", 0..<9),
      ("p95 - 400ms > 1KB", "'p95 - 400ms' is a time and '1KB' is a size: their units differ", 0..<17),
      ("p95 > 400ms + 1KB", "'400ms' is a time and '1KB' is a size: their units differ", 0..<17),
      (
        "api and get_ms.p95 > 2 * size_bytes.p95",
        "'get_ms.p95' is a time and '2 * size_bytes.p95' is a size: their units differ", 8..<39
      ),
      ("n > 2 * age", "'n' is a number without a unit and '2 * age' is a time: their units differ", 0..<11),
      ("p95 / p50 > 5ms", "'p95 / p50' and '5ms' never have the same unit", 0..<15),
      ("p95 * p50 > 400ms", "'p95 * p50' and '400ms' never have the same unit", 0..<17),
      ("p95 > rate", "'p95' and 'rate' never have the same unit", 0..<10),
      (
        "p95 > 2 * p50 or route = /feed",
        "a field chooses samples and a figure or state chooses metrics: combine them only with and", 17..<30
      ),
    ])
  func sentences(text: String, message: String, range: Range<Int>) throws {
    let error = try #require(throws: QueryError.self) { try Query.parse(text) }
    #expect(error.message == message)
    #expect(error.range == range)
  }

  @Test("Ends what is too long or too deep")
  func limits() throws {
    let long = "p95 > " + Array(repeating: "1", count: 64).joined(separator: " + ")
    #expect(throws: Never.self) { try Query.parse(long) }
    for text in [
      long + " + 1", "p95 > " + String(repeating: "-(", count: 70) + "1" + String(repeating: ")", count: 70),
      "p95 / " + String(repeating: "(", count: 65) + "1",
    ] {
      let error = try #require(throws: QueryError.self) { try Query.parse(text) }
      #expect(error.message == "more than 64 nested parentheses or nots")
    }
    // Each parenthesis is tried as a calculation first.
    for text in [String(repeating: "(", count: 2000), String(repeating: "a > (", count: 400)] {
      #expect(throws: QueryError.self) { try Query.parse(text) }
    }
  }

  @Test("Figures are refused where they are not known")
  func unknown() throws {
    let error = try #require(throws: QueryError.self) {
      try Query.parse("api and a.n / p50 > 3", knowing: .fields)
    }
    #expect(error.range == 8..<21 && error.message.hasPrefix("'a.n' is a figure of a whole metric"))
  }
}

@Suite("What was probably meant by a query")
struct QueryHintTests {
  static let names = [
    "api.status", "net.status", "db.status", "mq.status", "net.upload_ms", "db.query_ms", "app.errors",
  ]

  @Test(
    "is said for each part that occurs nowhere",
    arguments: [
      ("status >= 500", "status: did you mean api.status, db.status or mq.status?"),
      ("net.status >= 500", ""), ("route = /feed", ""), ("uplaod", ""),
      ("upload_sm", "upload_sm: did you mean net.upload_ms?"), ("firng", "firng: did you mean firing?"),
      ("api and stauts = 5", "stauts: did you mean api.status, db.status or mq.status?"),
      ("rout = /feed", "rout: did you mean route?"), ("upload > 5", "upload: did you mean net.upload_ms?"),
      ("erors.n / app.errors.n > 1", "erors: did you mean app.errors?"), ("errors.n / app.errors.n > 1", ""),
    ])
  func hints(text: String, expected: String) throws {
    let hints = try Query.parse(text).hints(names: Self.names, fields: ["route"])
    #expect(hints.joined(separator: "; ") == expected)
  }
}
