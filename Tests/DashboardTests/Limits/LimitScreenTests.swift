import Aggregation
import Codecs
import Platform
import QueryLanguage
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import LiveScreen

@Suite("Limits on the screen")
struct LimitScreenTests {
  private let start = Timestamp(10_000)

  init() { adoptUTF8() }

  /// A metric second by second from `start` on.
  private func feed(_ values: [Double], name: String = "b_ms") -> FeedSnapshot {
    var store = SeriesStore()
    let id = store.series(for: SeriesIdentity(bucket: "a", name: name, typeName: "Double", field: nil))
    for (second, value) in values.enumerated() {
      store.record(id, time: start + Double(second), value: .number(value))
    }
    var status = FeedStatus()
    status.isLoaded = true
    status.isCaughtUp = true
    return FeedSnapshot(store: store, status: status)
  }

  /// The dashboard opened on some seconds of it.
  private func opened(_ values: [Double], _ limits: [MetricLimit]) -> Model {
    var model = Model(
      size: Size(width: 120, height: 36), now: start + Double(values.count), zone: .utc, feed: feed(values),
      limits: LimitSet(limits))
    model.session.setWindow(10)
    _ = update(&model, [.clock(start + Double(values.count)), .feed(feed(values))])
    return model
  }

  /// The effects for the edge as the seconds after the opening come in, by second.
  private func effects(_ model: inout Model, from opening: Int, _ values: [Double]) -> [[Effect]] {
    (opening + 1...values.count).map { count in
      update(&model, [.clock(start + Double(count)), .feed(feed(Array(values.prefix(count))))]).filter {
        switch $0 {
        case .bell, .run: true
        default: false
        }
      }
    }
  }

  private func overLimits(_ model: Model) -> [ChangeEvent] {
    model.session.alerts.events.filter { $0.kind == .overLimit }
  }

  @Test("a bell rings once when an excess begins, and again for the next one")
  func bell() {
    let limit = MetricLimit(metric: "a.b_ms", figure: .now, bound: 10, ringsBell: true)
    let values: [Double] = [1, 1, 1, 1, 1, 20, 20, 20, 1, 1, 20, 20]
    var model = opened(Array(values.prefix(5)), [limit])
    let effects = effects(&model, from: 5, values)
    #expect(effects.map { $0 == [.bell] } == [true, false, false, false, false, true, false])
  }

  @Test("what was over its limit at the opening neither rings nor runs")
  func old() {
    let limit = MetricLimit(metric: "a.*", figure: .now, bound: 10, ringsBell: true, command: "true")
    let values: [Double] = [1, 20, 20, 20, 20, 20, 1, 20]
    var model = opened(Array(values.prefix(4)), [limit])
    #expect(overLimits(model).count == 1)
    let effects = effects(&model, from: 4, values)
    #expect(effects.map(\.count) == [0, 0, 0, 2])
    #expect(
      effects.last == [
        .bell,
        .run(
          LimitCommand(
            text: "true", metric: "a.b_ms", value: 20, limit: 10, words: "now 20ms > 10ms for 7s")),
      ])
    #expect(
      LimitCommand(text: "true", metric: "a\0b", value: 20, limit: 10, words: "w").variables.map(\.value)
        == ["ab", "20.0", "10.0", "w"])
  }

  @Test("an excess counts after its time, and is over below the value that clears it")
  func patience() {
    let limit = MetricLimit(metric: "a.b_ms", figure: .now, bound: 10, duration: 3, clear: 5, ringsBell: true)
    let values: [Double] = [1, 1, 20, 20, 1, 1, 20, 20, 20, 20, 20, 8, 8, 4]
    var model = opened(Array(values.prefix(2)), [limit])
    var counts: [Int] = []
    var bells = 0
    for count in 3...values.count {
      let effects = update(&model, [.clock(start + Double(count)), .feed(feed(Array(values.prefix(count))))])
      bells += effects.count { $0 == .bell }
      counts.append(overLimits(model).count)
    }
    #expect(counts == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0])
    #expect(bells == 1)
    // Opened later, the same is found.
    let late = opened(Array(values.prefix(12)), [limit])
    #expect(overLimits(late).map(\.text) == ["now 8ms, not yet back at 5ms for 6s"])
  }

  @Test("a limit may be a least, and of several figures")
  func sides() {
    let model = opened(
      [5, 5, 5, 5, 5],
      [
        MetricLimit(metric: "a.b_ms", figure: .p50, isFloor: true, bound: 10),
        MetricLimit(metric: "a.b_ms", figure: .max, bound: 4),
        MetricLimit(metric: "a.b_ms", figure: .p99, bound: 6),
      ])
    #expect(overLimits(model).map { $0.text.prefix(14) }.sorted() == ["max 5ms > 4ms ", "p50 5ms < 10ms"])
    #expect(model.session.alerts.signs.values.contains(.overLimit))
  }

  @Test("a limit may calculate, with a bound that moves or stays; what the command gets is what was compared")
  func calculated() throws {
    let moving = try #require(try LimitText.limit(where: "a.* and now > 3 * p50 bell"))
    let values: [Double] = [1, 1, 1, 1, 1, 2, 3, 4, 4, 1]
    var model = opened(Array(values.prefix(5)), [moving])
    let effects = effects(&model, from: 5, values)
    #expect(effects.map { $0 == [.bell] } == [false, false, true, false, false])
    let late = opened(Array(values.prefix(8)), [moving])
    #expect(overLimits(late).map { $0.text.prefix(28) } == ["now 4ms > 3 * p50 = 3ms for "])
    let staying = try #require(try LimitText.limit(where: "max / p50 > 5 clear 2"))
    #expect(
      overLimits(opened([1, 1, 1, 9], [staying])).map { $0.text.prefix(20) } == ["max / p50 9 > 5 for "])
    let text = try #require(LimitText.limit(of: "a.b_ms", "p95 > 2 * p50 for 10s bell"))
    #expect(LimitText.limit(of: "a.b_ms", LimitText.text(text)) == text && text.query == nil)
    #expect(LimitText.shortText(text, .milliseconds) == "p95 > 2 * p50 for 10s bell")
    #expect(LimitText.limit(of: "a.b_ms", "api p95 > 2 * p50") == nil)
  }

  @Test("a limit may divide metrics of one bucket, and is over for the first of them alone")
  func ratio() throws {
    var store = SeriesStore()
    for (name, step) in [("errors", 10), ("requests", 1)] {
      let id = store.series(for: SeriesIdentity(bucket: "a", name: name, typeName: "Int", field: nil))
      for second in stride(from: 0, to: 60, by: step) {
        store.record(id, time: start + Double(second), value: .number(1))
      }
    }
    let limit = try #require(try LimitText.limit(where: "errors.count / requests.count > 0.05"))
    var feed = feed([])
    feed.store = store
    var model = Model(
      size: Size(width: 120, height: 36), now: start + 60, zone: .utc, feed: feed, limits: LimitSet([limit]))
    model.session.setWindow(60)
    _ = update(&model, [.clock(start + 60), .feed(feed)])
    #expect(overLimits(model).map(\.subject) == ["a.errors"])
    let text = overLimits(model).first?.text ?? ""
    #expect(text.hasPrefix("errors.count / requests.count 0.") && text.contains(" > 0.0500 for "), "\(text)")
  }

  @Test("many commands at once are cut, and that is said")
  func flood() {
    var session = opened([1, 1], [MetricLimit(metric: "*", figure: .now, bound: 10, command: "true")]).session
    session.alerts.scanned = (0..<40).map { index in
      var event = ChangeEvent(kind: .overLimit, time: start, series: nil, subject: "m\(index)", text: "")
      let limit = session.limits.all[0]
      event.excess = ChangeEvent.Excess(limit: limit, look: limit.look(at: 20))
      return event
    }
    #expect(session.noteExcesses().count == 5)
    #expect(session.toast?.text == "Ran 5 of 40 limit commands")
    #expect(session.noteExcesses().isEmpty)
  }

  // MARK: Setting

  private func type(_ model: inout Model, _ text: String) -> [Effect] {
    _ = update(&model, .input(.key(KeyPress("#"))))
    var effects: [Effect] = []
    for character in text { effects += update(&model, .input(.key(KeyPress(character)))) }
    return effects + update(&model, .input(.key(KeyPress(.enter))))
  }

  @Test(
    "the key asks for a limit of the metric in focus, which holds, is drawn and kept",
    arguments: ["1", "2", "3"])
  func set(screen: Character) {
    var model = LiveFixture.model(120, 36, depth: .none)
    for key in Array(repeating: KeyPress(.down), count: screen == "1" ? 1 : 4) + [KeyPress(screen)] {
      _ = update(&model, .input(.key(key)))
    }
    guard let metric = model.limitedMetric else {
      Issue.record("no metric in focus on \(screen)")
      return
    }
    _ = update(&model, .input(.key(KeyPress("#"))))
    #expect((view(model).buffer.lines.last ?? "").contains("limit for \(metric): "))
    _ = update(&model, .input(.key(KeyPress(.escape))))
    let effects = type(&model, "p99 > 9 for 0s bell")
    let limit = MetricLimit(metric: metric, figure: .p99, bound: 9, ringsBell: true)
    #expect(model.session.limits.limits(of: metric, in: .plain).first == limit)
    #expect(effects.contains(.keep(model.session.notes)) && !effects.contains(.bell))
    #expect(model.session.notes.last.limits == [metric: "p99 > 9.0 bell"])
    if screen == "1" { #expect(view(model).buffer.lines.contains { $0.contains("limit p99") }) }
    // The line holds what there is; an empty one takes it away.
    _ = update(&model, .input(.key(KeyPress("#"))))
    _ = update(&model, .input(.key(.control("u"))))
    _ = update(&model, .input(.key(KeyPress(.enter))))
    #expect(!model.session.limits.all.contains { $0.metric == metric })
    #expect(model.session.toast?.text == "\(metric) no longer has a limit")
    #expect(model.session.notes.last.limits == [metric: ""])
  }

  @Test("a metric that is back within its limit says so, and comes after what lasts")
  func backWithin() throws {
    let limits = [MetricLimit(metric: "a.b_ms", figure: .max, bound: 10)]
    let values = Array(repeating: 1.0, count: 5) + [20, 20, 1, 1, 1, 1, 1, 1]
    for (count, isBack) in [(7, false), (9, false), (13, true)] {
      let model = opened(Array(values.prefix(count)), limits)
      let event = try #require(overLimits(model).first)
      #expect(event.isBack == isBack, "\(count)")
      #expect(view(model).buffer.lines.contains { $0.contains("back within it") } == isBack)
      let reason = try #require(LiveReason(event, at: model.session.present))
      #expect(reason.words == (isBack ? "was over" : "over its limit"))
      var other = ChangeEvent(
        kind: .incident(.aboveOwn), time: event.time, series: nil, subject: "b.c_ms", text: "2x")
      other.severity = Severity(isOfNumbers: true, size: 2)
      var both = model.session
      both.alerts.events = [event, other]
      #expect(both.worstAlert == (isBack ? 1 : 0))
    }
  }

  @Test("a query watches every metric that it chooses, in its own unit, and says what it is about")
  func query() throws {
    let limit = try #require(try LimitText.limit(where: "a.* and now > 0.01s bell"))
    let values: [Double] = [1, 1, 1, 20]
    var model = opened(Array(values.prefix(3)), [limit])
    #expect(effects(&model, from: 3, values) == [[.bell]])
    #expect(overLimits(model).map(\.text) == ["now 20ms > 10ms for 1s"])
  }

  @Test(
    "any figure can have a limit",
    arguments: ["n > 3", "n < 9", "rate > 1/m", "mean > 4", "min < 2", "max > 19"])
  func figures(query: String) throws {
    let model = opened([1, 1, 1, 20], [try #require(try LimitText.limit(where: query))])
    #expect(overLimits(model).map(\.series?.name) == ["b_ms"])
  }

  @Test("a metric that falls silent is over the limit of its age")
  func age() throws {
    let limit = try #require(try LimitText.limit(where: "age > 5s bell"))
    var model = opened([1, 1, 1], [limit])
    let rings = (4...12).map { second in
      update(&model, [.clock(start + Double(second)), .feed(feed([1, 1, 1]))]).contains(.bell)
    }
    #expect(rings.count { $0 } == 1)
    #expect(overLimits(model).first?.text.hasPrefix("age 10s > 5s") ?? false, "\(overLimits(model))")
  }

  @Test("where no sample comes any more, what is left in the window rings no bell")
  func ended() throws {
    // The slow ones are the last: without a pause the window would come to hold them alone.
    let values: [Double] = [1, 1, 1, 1, 1, 1, 1, 20, 1, 20]
    let limit = MetricLimit(metric: "a.b_ms", figure: .p50, bound: 10, ringsBell: true)
    var model = opened(values, [limit])
    var rings = 0
    for second in 1...30 {
      let now = start + Double(values.count + second)
      rings += update(&model, [.clock(now), .feed(feed(values))]).contains(.bell) ? 1 : 0
    }
    #expect(rings == 0 && overLimits(model).isEmpty)
  }

  @Test("an excess that lasts longer than is looked back on keeps its start")
  func lasting() throws {
    let limit = MetricLimit(metric: "a.b_ms", figure: .now, bound: 10, duration: 2, ringsBell: true)
    var values: [Double] = [1, 1, 1] + Array(repeating: 20, count: 10)
    var model = opened(values, [limit])
    _ = update(&model, [.clock(start + 14), .feed(feed(values + [20]))])
    let begun = try #require(overLimits(model).first).time
    for _ in 0..<80 {
      values += Array(repeating: 20, count: 60)
      _ = update(&model, [.clock(start + Double(values.count)), .feed(feed(values))])
    }
    #expect(overLimits(model).map(\.time) == [begun])
  }

  @Test("an excess that is over leaves a line that says how bad it was, and is no alert any more")
  func over() {
    let limit = MetricLimit(metric: "a.b_ms", figure: .now, bound: 10)
    let values: [Double] = [1, 1, 1, 20, 40, 30, 1, 1, 1]
    var model = opened(Array(values.prefix(3)), [limit])
    _ = effects(&model, from: 3, values)
    _ = update(&model, [.clock(start + 10), .feed(feed(values + [1]))])
    let events = overLimits(model)
    #expect(events.map(\.text) == ["over: now up to 40ms, > 10ms for 4s"], "\(events)")
    #expect(model.session.alerts.count(at: model.session.edge) == 0)
    #expect(model.session.firingSeries.isEmpty)
  }

  @Test("taking a limit away, or setting one, rings for nothing that was there before")
  func others() throws {
    let wide = try #require(try LimitText.limit(where: "now > 10 bell"))
    let values: [Double] = [1, 1, 20, 20, 20, 20, 20, 20]
    var model = opened(Array(values.prefix(4)), [wide])
    var all: [Effect] = []
    model.session.limits.set(MetricLimit(metric: "a.b_ms", figure: .now, bound: 100))
    all += effects(&model, from: 4, Array(values.prefix(5))).joined()
    _ = model.session.setLimit(of: "a.b_ms", "")
    #expect(
      model.session.toast?.text
        == "a.b_ms has no limit of its own; the configuration's applies: now > 10ms bell")
    all += effects(&model, from: 5, values).joined()
    #expect(!all.contains(.bell) && overLimits(model).count == 1)
  }

  @Test("a limit of the screen says which one it takes the place of, and keeps its command")
  func displaces() throws {
    let wide = MetricLimit(metric: "a.*", bound: 480, command: "true")
    var model = opened([1, 1, 1], [wide])
    _ = model.session.setLimit(of: "a.b_ms", "460ms")
    #expect(model.session.toast?.text == "Limit for a.b_ms: p95 > 460ms, instead of p95 > 480ms")
    #expect(model.session.limits.limits(of: "a.b_ms", in: .milliseconds).first?.command == "true")
  }

  static let faults: [(text: String, fault: String)] = [
    ("p95 > 3MB", "a.b_ms is not measured in the unit of 3MB"),
    ("> 5 for 3h", "'3h' is not a duration of up to an hour"),
    ("p99 > 4 for 5s clear 9", "clear must be a number in the same unit, on the good side of the limit"),
    ("p90 > 3", "expected \(LimitText.expected)"),
  ]

  @Test("what is wrong with a limit is named", arguments: faults)
  func saysWhy(text: String, fault: String) {
    #expect(LimitText.fault(of: "a.b_ms", text, unit: .milliseconds) == fault)
  }

  @Test("what is no limit says what would be one, and changes nothing")
  func wrong() {
    var model = LiveFixture.model(120, 36, depth: .none)
    let before = model.session.limits
    let effects = type(&model, "fast")
    #expect(!effects.contains { if case .keep = $0 { true } else { false } })
    #expect(model.session.limits == before)
    #expect(model.session.toast?.text == "Not a limit: expected \(LimitText.expected)")
  }

  @Test("of a metric that gets better upwards a bare number is the least")
  func better() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    let metric = try #require(model.limitedMetric)
    model.session.better = [metric: .higher]
    _ = type(&model, "7")
    #expect(
      model.session.limits.limits(of: metric, in: .plain).first
        == MetricLimit(metric: metric, isFloor: true, bound: 7))
  }
}
