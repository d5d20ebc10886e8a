import Codecs
import Platform
import QueryLanguage
import TestSupport
import Testing

@testable import DashboardCore

@Suite("When a limit is exceeded")
struct LimitCourseTests {
  /// A figure second by second, the last one at the edge, and how long the excess has lasted then; `nil` for none.
  struct Case: Sendable, CustomTestStringConvertible {
    let limit: MetricLimit
    let values: [Double?]
    let length: Double?
    var testDescription: String { "\(LimitText.text(limit)): \(values.map { $0.map { "\($0)" } ?? "-" })" }
  }

  private static let plain = MetricLimit(metric: "a", bound: 10)
  private static let patient = MetricLimit(metric: "a", bound: 10, duration: 3)
  private static let sticky = MetricLimit(metric: "a", bound: 10, clear: 5)
  private static let both = MetricLimit(metric: "a", bound: 10, duration: 2, clear: 5)
  private static let floor = MetricLimit(metric: "a", isFloor: true, bound: 10, duration: 1, clear: 12)

  static let cases: [Case] = [
    Case(limit: plain, values: [], length: nil),
    Case(limit: plain, values: [9, 10], length: nil),
    Case(limit: plain, values: [9, 11], length: 0),
    Case(limit: plain, values: [9, 11, 12, 13], length: 2),
    Case(limit: plain, values: [11, 9, 11], length: 0),
    Case(limit: plain, values: [11, nil, 11], length: 0),
    Case(limit: plain, values: [11, nil], length: nil),
    Case(limit: patient, values: [9, 11, 11, 11], length: nil),
    Case(limit: patient, values: [9, 11, 11, 11, 11], length: 3),
    Case(limit: patient, values: [11, 11, 11, 9, 11, 11], length: nil),
    Case(limit: patient, values: [9, 11, 11, 11, 11, 9], length: nil),
    Case(limit: sticky, values: [4, 11, 8, 6], length: 2),
    Case(limit: sticky, values: [4, 8, 6], length: nil),
    Case(limit: sticky, values: [11, 5, 8], length: nil),
    Case(limit: sticky, values: [11, 6, 12, 6, 4, 9], length: nil),
    Case(limit: both, values: [11, 11, 11, 6, 6], length: 4),
    Case(limit: both, values: [11, 6, 11, 6, 11, 6], length: nil),
    Case(limit: both, values: [11, 6, 11, 11, 11, 6], length: 3),
    Case(limit: floor, values: [20, 9, 9, 11], length: 2),
    Case(limit: floor, values: [20, 9, 9, 12], length: nil),
    Case(limit: floor, values: [20, 11, 11], length: nil),
  ]

  private func course(_ limit: MetricLimit, _ values: [Double?], reach: Double = 3600) -> LimitCourse {
    LimitCourse(limit: limit, step: 1, reach: reach) { moment in
      let index = Int(moment.seconds)
      return (values.indices.contains(index) ? values[index] : nil).map(limit.look)
    }
  }

  @Test("the course of the figure tells", arguments: cases)
  func table(_ one: Case) {
    let edge = Timestamp(Double(one.values.count - 1))
    let start = course(one.limit, one.values).start(ofExcessAt: edge)
    #expect(start.map { edge - $0 } == one.length)
  }

  @Test("looking second by second as the program runs finds what looking once finds")
  func pure() {
    var generator = SeededGenerator(seed: 20)
    for limit in [Self.plain, Self.patient, Self.sticky, Self.both, Self.floor] {
      let values: [Double?] = (0..<200).map { _ in Double(Int.random(in: 0...16, using: &generator)) }
      var begin: Int?
      var isExcess = false
      for (second, value) in values.enumerated() {
        let value = value ?? 0
        if isExcess {
          if !(limit.isKept(by: value) || limit.isBeyond(value)) { (isExcess, begin) = (false, nil) }
        } else {
          begin = limit.isBeyond(value) ? begin ?? second : nil
        }
        if let begin, Double(second - begin) >= limit.duration { isExcess = true }
        let found = course(limit, values).start(ofExcessAt: Timestamp(Double(second)))
        #expect(found == (isExcess ? begin.map { Timestamp(Double($0)) } : nil), "\(limit) at \(second)")
      }
    }
  }

  @Test("no more is looked at than a screen has time for")
  func bounded() {
    var looks = 0
    let endless = LimitCourse(limit: Self.sticky, step: 1, reach: .infinity) { _ in
      looks += 1
      return Self.sticky.look(at: 8)
    }
    #expect(endless.start(ofExcessAt: Timestamp(0)) == nil && looks <= LimitCourse.longest + 1)
  }
}

@Suite("Limits as text")
struct LimitTextTests {
  static let texts: [(String, MetricLimit?)] = [
    ("400", MetricLimit(metric: "m", bound: 400)), (" > 400 ", MetricLimit(metric: "m", bound: 400)),
    (">400", MetricLimit(metric: "m", bound: 400)), ("-1.5", MetricLimit(metric: "m", bound: -1.5)),
    ("< 5", MetricLimit(metric: "m", isFloor: true, bound: 5)),
    ("p99>5", MetricLimit(metric: "m", figure: .p99, bound: 5)),
    ("MAX 5", MetricLimit(metric: "m", figure: .max, bound: 5)),
    (
      "now < 5 for 10s clear 7 bell",
      MetricLimit(metric: "m", figure: .now, isFloor: true, bound: 5, duration: 10, clear: 7, ringsBell: true)
    ),
    ("5 for 1m30s", MetricLimit(metric: "m", bound: 5, duration: 90)),
    ("5 for 2.5", MetricLimit(metric: "m", bound: 5, duration: 2.5)),
    ("", nil), ("p95", nil), ("x", nil), ("400 ms", nil), ("nan", nil), ("inf", nil), ("5 for", nil),
    ("5ms", nil), ("rate > 5/s", MetricLimit(metric: "m", figure: .rate, bound: 5)),
    ("age > 1m for 5", MetricLimit(metric: "m", figure: .age, bound: 60, duration: 5)),
    ("5 for 2h", nil), ("5 for -1", nil), ("5 clear 6", nil), ("< 5 clear 4", nil), ("5 6", nil),
  ]

  @Test("what a person types is read", arguments: texts)
  func read(text: String, limit: MetricLimit?) {
    #expect(LimitText.limit(of: "m", text) == limit)
    guard let limit else { return }
    #expect(LimitText.limit(of: "m", LimitText.text(limit)) == limit)
    #expect(LimitText.limit(of: "m", LimitText.shortText(limit, .plain)) == limit)
  }

  @Test("where more is better a bare number is the least", arguments: ["5", "> 5"])
  func side(text: String) {
    #expect(LimitText.limit(of: "m", text, isFloor: true)?.isFloor == (text == "5"))
  }

  @Test(
    "stars stand for letters, of either case",
    arguments: [
      ("a.*", "a.b", true), ("a.*", "a.", true), ("a.*", "b.a", false), ("*_ms", "net.x_ms", true),
      ("a?C", "abc", true), ("a?c", "ac", false), ("*", "", true), ("a*b*c", "aXbYbZc", true),
      ("a*b*c", "aXcYb", false), ("", "", true), ("", "a", false), ("a.b", "A.b", false),
    ])
  func globs(pattern: String, name: String, matches: Bool) {
    #expect(LimitSet([MetricLimit(metric: pattern, bound: 1)]).covers(name) == matches)
  }

  @Test("a number with a unit is one of the metric's unit")
  func units() {
    #expect(LimitText.limit(of: "a_ms", "> 1.5s clear 900ms")?.bound == 1500)
    #expect(LimitText.limit(of: "a_ms", "> 1.5s clear 900ms")?.clear == 900)
    #expect(LimitText.limit(of: "a_s", "400ms")?.bound == 0.4)
    #expect(LimitText.limit(of: "a_bytes", "400ms") == nil)
    #expect(LimitText.limit(of: "a", "400ms", unit: .milliseconds)?.bound == 400)
  }

  @Test("a pattern that is none, or too long, is a name")
  func longPattern() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    let limits = LimitSet([MetricLimit(metric: pattern, bound: 1)])
    #expect(limits.covers(pattern) && !limits.covers(String(repeating: "a", count: 2000) + "b"))
  }

  @Test("of two limits of one figure and side the weightier holds; what is set on the screen is in front")
  func sets() {
    var limits = LimitSet([
      MetricLimit(metric: "a.b", bound: 1), MetricLimit(metric: "a.*", bound: 2),
      MetricLimit(metric: "a.*", figure: .max, bound: 3), MetricLimit(metric: "a.b", isFloor: true, bound: 0),
    ])
    #expect(limits.limits(of: "a.b", in: .plain).map(\.bound) == [1, 3, 0])
    #expect(
      limits.limits(of: "a.c", in: .plain).map(\.bound) == [2, 3]
        && limits.limits(of: "b", in: .plain).isEmpty)
    #expect(
      limits.drawn(of: "a.b", in: .plain)?.bound == 1 && limits.drawn(of: "b", in: .plain)?.bound == nil)
    limits.set(MetricLimit(metric: "a.b", bound: 9))
    #expect(limits.limits(of: "a.b", in: .plain).map(\.bound) == [9, 3])
    limits.remove("a.b")
    #expect(limits.drawn(of: "a.b", in: .plain)?.bound == 2)
    let kept = limits.with(["a.c": "p95 > 7.0", "a.*": "", "x": "nonsense"])
    #expect(kept.all.map(\.metric) == ["a.c"])
  }
}
