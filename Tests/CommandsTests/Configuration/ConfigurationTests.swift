import Aggregation
import Codecs
import DashboardCore
import QueryLanguage
import TerminalUI
import Testing

@testable import Commands

@Suite("The text of a configuration")
struct ConfigurationTests {
  /// One key with a value, and what it sets.
  struct Key: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: Configuration
    var testDescription: String { text }

    init(_ text: String, _ change: (inout Configuration) -> Void) {
      var expected = Configuration()
      change(&expected)
      (self.text, self.expected) = (text, expected)
    }
  }

  static let keys: [Key] = [
    Key("{}") { _ in },
    Key("// nothing\n{ /* here */ }") { _ in },
    Key("{theme: 'auto'}") { $0.theme = "auto" },
    Key("{theme: 'high-contrast',}") { $0.theme = "high-contrast" },
    Key("{'theme': \"paper\"}") { $0.theme = "paper" },
    Key("{glyphs: 'blocks'}") { $0.glyphs = .blocks },
    Key("{colors: '24bit'}") { $0.colors = .trueColor },
    Key("{colors: 256}") { $0.colors = .indexed256 },
    Key("{colors: 16}") { $0.colors = .indexed16 },
    Key("{colors: 'none'}") { $0.colors = ColorDepth.none },
    Key("{keys: {'zoom-in': 'x', 'next-theme': ['Ctrl-N', 'F7'], 'suspend': []}}") {
      $0.keys = KeyMap([
        "zoom-in": [KeyPress(.character("x"))],
        "next-theme": [KeyPress(.character("n"), .control), KeyPress(.function(7))], "suspend": [],
      ])
    },
    Key("{keys: {'live-screen': 7}}") { $0.keys = KeyMap(["live-screen": [KeyPress(.character("7"))]]) },
    Key("{limits: [{metric: 'a.b_ms', above: 400}]}") {
      $0.limits = LimitSet([MetricLimit(metric: "a.b_ms", bound: 400)])
    },
    Key(
      "{limits: [{metric: 'a.*', below: -.5, figure: 'p99', for: '1m', clear: 0, bell: true, command: 'true'}]}"
    ) {
      $0.limits = LimitSet([
        MetricLimit(
          metric: "a.*", figure: .p99, isFloor: true, bound: -0.5, duration: 60, clear: 0, ringsBell: true,
          command: "true")
      ])
    },
    Key(
      "{limits: [{metric: 'a', above: 1, figure: 'now', for: 2.5}, {metric: 'b', above: 2, figure: 'max'}]}"
    ) {
      $0.limits = LimitSet([
        MetricLimit(metric: "a", figure: .now, bound: 1, duration: 2.5),
        MetricLimit(metric: "b", figure: .max, bound: 2),
      ])
    },
    Key("{limits: [{where: 'api.* and p95 > 400ms', clear: '0.3s', bell: true}]}") {
      guard var query = try? LimitQuery("api.* and p95 > 400ms"), query.setClear("0.3s") else { return }
      var limit = MetricLimit(query)
      limit.ringsBell = true
      $0.limits = LimitSet([limit])
    },
    Key("{units: {'a.b': 'ms', c: 'us', d: 'mib', e: 'ratio', f: 'none', g: 'moment', h: 'per_s'}}") {
      $0.units = [
        "a.b": .milliseconds, "c": .microseconds, "d": .mebibytes, "e": .ratio, "f": .plain, "g": .moment,
        "h": .perSecond,
      ]
    },
    Key("{limits: [{where: 'errors.count / requests.count > 0.01', clear: 0.005}, {where: 'p95 > 2 * p50'}]}")
    {
      guard var query = try? LimitQuery("errors.count / requests.count > 0.01"), query.setClear("0.005"),
        let other = try? LimitQuery("p95 > 2 * p50")
      else { return }
      $0.limits = LimitSet([MetricLimit(query), MetricLimit(other)])
    },
    Key("{better: {'a.b': 'higher', c: 'lower'}}") { $0.better = ["a.b": .higher, "c": .lower] },
    Key("{columns: ['now', 'p95', 'max', 'p95/1h', 'n']}") {
      $0.columns = [.now, .p95, .max, .change, .count]
    },
    Key("{columns: []}") { $0.columns = [] },
    Key("{maps: {pino: 'time=time,name=msg,value=ms'}}") {
      $0.maps = ["pino": "time=time,name=msg,value=ms"]
    },
    Key("{sensitivity: 'high'}") { $0.sensitivity = .high },
    Key("{window: '10m'}") { $0.window = 600 },
    Key("{window: 90}") { $0.window = 90 },
    Key("{start: 'history'}") { $0.start = "history" },
  ]

  @Test("every key is read", arguments: keys)
  func read(_ key: Key) {
    let reader = ConfigurationReader(key.text)
    #expect(reader.problems.isEmpty, "\(reader.problems)")
    #expect(reader.configuration == key.expected)
  }

  @Test("the table has every key")
  func complete() {
    for name in Configuration.names {
      #expect(
        Self.keys.contains { $0.text.contains(name + ":") || $0.text.contains("'\(name)':") }, "\(name)")
    }
  }

  static let faults: [(text: String, message: String)] = [
    ("{them: 'dark'}", "c, line 1: them: there is no such key; did you mean theme?"),
    ("{\n  zzzzzz: 1,\n}", "c, line 2: zzzzzz: there is no such key"),
    (
      "{theme: 'ligth'}",
      "c, line 1: theme: unknown 'ligth'; expected auto, dark, night, high-contrast, light or paper; did you mean light?"
    ),
    ("{theme: 5.5}", "c, line 1: theme: expected a string in quotes"),
    ("{glyphs: 'dots'}", "c, line 1: glyphs: unknown 'dots'; expected braille, blocks or ascii"),
    ("{sensitivity: 3}", "c, line 1: sensitivity: unknown '3'; expected low, normal or high"),
    ("{colors: 8}", "c, line 1: colors: unknown '8'; expected 24bit, 256, 16 or none"),
    (
      "{keys: {\n'zoom-inn': 'x'}}",
      "c, line 2: keys.zoom-inn: there is no such action; did you mean zoom-in?"
    ),
    (
      "{keys: {'zoom-in': 'Hyper-x'}}",
      "c, line 1: keys.zoom-in: 'Hyper-x' is not a key; keys are written x, X, Ctrl-L, Alt-Left, F5, Space or PgUp"
    ),
    ("{keys: {'zoom-in': ['x', 'Ctrl-C']}}", "c, line 1: keys.zoom-in[1]: Ctrl-C always quits"),
    (
      "{keys: {\n'zoom-in': 'x',\n'zoom-out': 'x'}}",
      "c, line 3: keys.zoom-out: wants x, which zoom-in has on the Live screen"
    ),
    ("{keys: 'x'}", "c, line 1: keys: expected an object"),
    ("{limits: {}}", "c, line 1: limits: expected a list"),
    ("{limits: [1]}", "c, line 1: limits[0]: expected an object"),
    ("{limits: [\n{above: 1}]}", "c, line 2: limits[0]: metric or where is missing"),
    ("{limits: [{metric: 'a'}]}", "c, line 1: limits[0]: expected one of above and below"),
    (
      "{limits: [{metric: 'a', above: 1, below: 0}]}", "c, line 1: limits[0]: expected one of above and below"
    ),
    (
      "{limits: [{where: 'p90 > 4'}]}",
      "c, line 1: limits[0].where: 'p90' is not known, only p50, p95 and p99 are; did you mean p95?"
    ),
    (
      "{limits: [{where: 'a or p95 > 4ms'}]}",
      "c, line 1: limits[0].where: a limit is one comparison by > or <, joined with names by and: api.* and p95 > 400ms"
    ),
    (
      "{limits: [{where: 'p95 > 4ms', clear: 3000}]}",
      "c, line 1: limits[0].clear: expected a number of the same unit, on the good side of the limit"
    ),
    ("{limits: [{where: 'p95 > 4ms', above: 5}]}", "c, line 1: limits[0].above: where already has this"),
    (
      "{limits: [{metrc: 'a', above: 1}]}",
      "c, line 1: limits[0].metrc: a limit has no such member; did you mean metric?"
    ),
    ("{limits: [{metric: 'a', above: 'x'}]}", "c, line 1: limits[0].above: expected a number"),
    ("{limits: [{metric: 'a', above: NaN}]}", "c, line 1: limits[0].above: expected a number"),
    (
      "{limits: [{metric: 'a', above: 1, figure: 'p90'}]}",
      "c, line 1: limits[0].figure: unknown 'p90'; expected now, p50, p95, p99, max, min, mean, n, rate or age; did you mean p50?"
    ),
    (
      "{limits: [{metric: 'a', above: 1, for: '2h'}]}",
      "c, line 1: limits[0].for: expected a duration such as \"10s\" or \"2m\", up to 1h"
    ),
    (
      "{limits: [{metric: 'a', above: 1,\n\nclear: 2}]}",
      "c, line 3: limits[0].clear: lies on the wrong side of the limit"
    ),
    ("{limits: [{metric: 'a', above: 1, bell: 1}]}", "c, line 1: limits[0].bell: expected true or false"),
    (
      "{limits: [{metric: 'a', above: 1, comand: 'x'}]}",
      "c, line 1: limits[0].comand: a limit has no such member; did you mean command?"
    ),
    (
      "{units: {a: 'miles'}}",
      "c, line 1: units.a: unknown 'miles'; expected ns, us, ms, s, seconds, min, bytes, kb, mb, gb, kib, mib, gib, percent, ratio, per_s, hz, moment or none"
    ),
    ("{better: {a: 'up'}}", "c, line 1: better.a: unknown 'up'; expected lower or higher"),
    ("{columns: 'now'}", "c, line 1: columns: expected a list"),
    (
      "{columns: ['now', 'now']}", "c, line 1: columns[1]: 'now' is there twice"
    ),
    ("{maps: {a: ''}}", "c, line 1: maps.a: expected a string in quotes"),
    (
      "{window: 'soon'}",
      "c, line 1: window: expected a duration such as \"10s\" or \"2m\", up to 1.0y"
    ),
    (
      "{start: 'live screen'}",
      "c, line 1: start: unknown 'live screen'; expected \(SnapshotScreen.help)"
    ),
    ("[]", "c, line 1: expected an object: { theme: \"light\" }"),
    ("\u{1}{\u{0}}", "c: "),
    ("{a\u{1B}[31m: 1}", "c: "),
  ]

  @Test("what is wrong is named with its place", arguments: faults)
  func fault(text: String, message: String) throws {
    let reader = ConfigurationReader(text)
    let first = try #require(reader.problems.first)
    let shown = first.message(path: "c")
    #expect(message == "c: " ? shown.hasPrefix("c") : shown == message, "\(shown)")
    #expect(!shown.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("a text that is no JSON5 says where, and sets nothing")
  func syntax() throws {
    let reader = ConfigurationReader("{\n  theme: 'dark',\n  window }\n")
    #expect(reader.configuration == Configuration() && reader.problems.count == 1)
    #expect(
      try #require(reader.problems.first).message(path: "c")
        == "c, line 3: this is not JSON5: expected a colon")
  }

  @Test("a number that no double holds is said to be one, with its line")
  func range() throws {
    let reader = ConfigurationReader("{ limits: [\n  { metric: 'a', above: 1e400 }] }")
    #expect(
      try #require(reader.problems.first).message(path: "c")
        == "c, line 2: 1e400 is a number out of range")
  }

  @Test("what is right beside what is wrong holds")
  func rest() {
    let reader = ConfigurationReader(
      """
      { theme: 'plaid', glyphs: 'ascii', columns: ['now', 'then', 'max'], keys: { 'zoom-in': 'x', nope: 'y' },
        limits: [{ metric: 'a', above: 'x' }, { metric: 'b', above: 2, figure: 'p9', bell: 'no' }], window: 60 }
      """)
    #expect(reader.problems.count == 6)
    let configuration = reader.configuration
    #expect(configuration.theme == nil && configuration.glyphs == .ascii && configuration.window == 60)
    #expect(configuration.columns == [.now, .max])
    #expect(configuration.keys.keys == ["zoom-in": [KeyPress(.character("x"))]])
    #expect(configuration.limits.all == [MetricLimit(metric: "b", bound: 2)])
  }

  @Test("deep nests and long lists are refused in a sentence")
  func bounds() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(
      ConfigurationReader("{columns: \(deep)}").problems.map(\.text)
        == ["values are nested more than 64 levels deep"])
    #expect(ConfigurationReader(String(repeating: "[", count: 1_000_000)).problems.count == 1)
    let long = String(repeating: "'now',", count: 1001)
    #expect(
      ConfigurationReader("{columns: [\(long)]}").problems.map(\.text)
        == ["1001 entries are too many; 1000 are read at most"])
  }

  @Test("in a file that others may write, commands of limits do not run, and the limits hold")
  func commands() {
    let reader = ConfigurationReader(
      "{limits: [{metric: 'a', above: 1, command: 'rm -rf /'}]}", allowsCommands: false)
    #expect(reader.configuration.limits.all == [MetricLimit(metric: "a", bound: 1)])
    #expect(
      reader.problems.map { $0.message(path: "c") } == [
        "c, line 1: limits[0].command: the command does not run: someone else owns the file or can write to it"
      ])
  }
}
