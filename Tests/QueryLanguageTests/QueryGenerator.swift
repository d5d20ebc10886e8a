import QueryLanguage
import TestSupport

/// Makes queries and what they choose from, by chance.
struct QueryGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < one
  }

  // MARK: Subjects

  mutating func subject() -> TestSubject {
    let bucket = pick(["api", "sync", "Disk", "net.io"])
    let middle = pick(["request", "push", "Pull", "queue-2", "größe"])
    var subject = TestSubject(
      name: "\(bucket).\(middle)\(pick(Self.endings))")
    for figure in QueryFigure.allCases where chance(5, in: 6) { subject.figures[figure] = pick(Self.numbers) }
    for state in QueryState.allCases where chance(1, in: 3) { subject.states.insert(state) }
    for _ in 0..<pick([0, 1, 1, 2, 3]) {
      var sample: [String: QueryValue] = [:]
      for field in Self.fields where chance(3, in: 4) { sample[field] = value() }
      subject.samples.append(sample)
    }
    return subject
  }

  private mutating func value() -> QueryValue {
    switch pick([0, 0, 1, 1, 2, 3]) {
    case 0:
      .text(pick(["/feed", "/FEED", "/home", "wifi", "slow wifi", "2.10", "500", "true", "null", "", "a*b"]))
    case 1: .number(pick(Self.numbers))
    case 2: .bool(chance(1, in: 2))
    default: .null
    }
  }

  private static let numbers = [
    0, 1, 5, 10, 90, 95, 200, 400, 0.4, 1.5, 500, 503, 1500, 3960, 66_000, 10_000, 10_240, 12_000, 3e6, -1,
    0.00025,
    1e16, 1.0 / 6,
  ]
  private static let endings = [
    "_us", "_ms", "_s", "_min", "_bytes", "_mb", "_kib", "_percent", "_ratio", "_per_s", "_count", "",
  ]
  private static let fields = ["route", "status", "net", "wait_ms", "app.size_bytes", "p95", "load_percent"]

  // MARK: Queries

  mutating func query() -> String { expression(depth: 3, level: pick([0, 0, 1, 2, 3])) }

  /// - Parameter level: 0 for names and figures, 1 for names and fields, 2 for names, 3 for whatever comes.
  private mutating func expression(depth: Int, level: Int) -> String {
    guard depth > 0, chance(3, in: 4) else { return term(level) }
    let parts = (0..<pick([1, 2, 2, 3])).map { _ in expression(depth: depth - 1, level: level) }
    switch pick([0, 0, 1, 1, 2, 3]) {
    case 0: return parts.joined(separator: pick([" and ", " && ", " ", "  AND "]))
    case 1: return parts.joined(separator: pick([" or ", "||", " Or "]))
    case 2:
      return pick(["not ", "!", "NOT ", "! "]) + "(" + parts.joined(separator: pick([" ", " or "])) + ")"
    default: return "(" + parts.joined(separator: pick([" and ", " or "])) + ")"
    }
  }

  private mutating func term(_ level: Int) -> String {
    let sign = chance(1, in: 5) ? pick(["not ", "!"]) : ""
    switch level == 3 ? pick([0, 1, 2]) : level {
    case 0 where chance(2, in: 3): return sign + metricCondition()
    case 1 where chance(3, in: 4): return sign + field()
    default: return sign + name()
    }
  }

  private mutating func metricCondition() -> String {
    switch pick([0, 1, 1, 2]) {
    case 0: pick(Self.states)
    case 1: figure()
    default: calculation(depth: 2) + comparison() + calculation(depth: pick([0, 1]))
    }
  }

  private mutating func calculation(depth: Int) -> String {
    guard depth > 0, chance(3, in: 4) else {
      return pick([
        "p95", "p50", "max", "n", "rate", "age", "2", "0.5", "100ms", "1KB", "10%", "400", "-p50", "5/s",
        "net.io",
      ])
    }
    let (left, right) = (calculation(depth: depth - 1), calculation(depth: depth - 1))
    let both = left + pick([" + ", " - ", " * ", " / ", "*", "/", "-", "+", " -", "* "]) + right
    return chance(1, in: 3) ? pick(["", "-"]) + "(" + both + ")" : both
  }

  private static let states = ["firing", "silent", "changed", "Firing", "\"firing\""]

  private mutating func name() -> String {
    pick([
      "api", "SYNC", "push", "_ms", "net.io", "queue-2", "größe", "GRÖSSE", "\"disk.p\"", "\"\"", "x", "*",
      "api.*",
      "*_bytes", "*.P???_*", "?ync*", "*ö*", "api", "/^api/", "/(push|pull)_m?s$/", "/^[a-d]+\\./",
      "/e{2}|u{1}/",
      "/\\.[^p]/", "/^.{3,6}[._]r/", "/q.+2/", "/\\d$/", "/(a|n)(p|e)+[it]/", "//", "/\\/|\\w-\\d/",
    ])
  }

  private mutating func figure() -> String {
    let figure = pick(QueryFigure.allCases.map(\.rawValue) + ["P95", "Now", ""])
    let literals =
      switch figure {
      case "n": ["5", "12k", "10000", "0.012M", "5ms"]
      case "rate": ["5", "10/s", "600/m", "36k/h", "90/min", "10KB"]
      case "age": ["95", "1.5m", "90s", "1.1h", "200ms", "95%"]
      default:
        [
          "400", "400ms", "0.4s", "1.5s", "1.1m", "10KB", "10KiB", "10kib", "95%", "12k", "3M", "250ns", "-1",
          "+5", "0",
          "10240B", "66s", "1.1h", "1.5", ".4", "500us", "10/s",
        ]
      }
    return figure + comparison() + pick(literals)
  }

  private mutating func field() -> String {
    let field = pick(Self.fields + ["missing"])
    let name = field == "p95" ? "\"p95\"" : field
    guard chance(1, in: 3) else {
      return name + pick(["=", " = ", " != ", "!=", " == "])
        + pick([
          "/feed", "/f*", "*e?d", "wifi", "\"slow wifi\"", "slow*", "500", "5*", "true", "TRUE", "null",
          "\"null\"",
          "2.*", "\"\"", "1.5", "0.4s", "10KiB", "a*b", "\"a*b\"", "*", "1e+16", "?.4", "/feed?x=1&y=2",
        ])
    }
    return name + comparison()
      + pick(["5", "400ms", "0.4s", "10KB", "95%", "500", "1.5", "-1", "12k", "abc"])
  }

  private mutating func comparison() -> String { pick([">", " >= ", "<", " <=", "= ", " != ", " == "]) }
}
