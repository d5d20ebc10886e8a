import Platform
import TerminalUI
import Testing

@testable import Aggregation
@testable import DashboardCore
@testable import LiveScreen

@Suite("The order of severity")
struct LiveOrderTests {
  init() { adoptUTF8() }

  private static let start = 816_960_000.0

  private static func series(_ bucket: String, _ name: String, _ type: String = "Double") -> SeriesIdentity {
    SeriesIdentity(bucket: bucket, name: name, typeName: type)
  }

  private static let limited = series("z", "limited_ms")
  private static let big = series("y", "big_ms")
  private static let small = series("x", "small", "Int")
  private static let state = series("a", "state", "String")
  private static let quiet = series("w", "quiet_ms")
  private static let past = series("v", "past_ms")
  private static let usual = series("b", "usual_ms")

  /// Ten minutes, a sample a second, of which one series has none in the last twenty.
  private static let store: SeriesStore = {
    var store = SeriesStore()
    for second in 0..<600 {
      let time = start + Double(second) + 0.5
      func record(_ identity: SeriesIdentity, _ value: SeriesValue) {
        store.record(store.series(for: identity), time: time, value: value)
      }
      let noise = Double(second * 7 % 11)
      record(limited, .number(second < 540 ? 100 + noise : 500 + noise))
      if second < 580 { record(quiet, .number(40 + noise)) }
      for identity in [big, small, past, usual] { record(identity, .number(10 + noise)) }
      record(state, .text("open"))
    }
    return store
  }()

  private static func entry(
    _ series: SeriesIdentity, _ kind: Incident.Kind, at second: Double, from usual: Double, to peak: Double,
    end: Incident.End = .none
  ) -> IncidentLog.Entry {
    var incident = Incident(kind: kind, start: start + second, peak: peak, usual: usual)
    incident.end = end
    return IncidentLog.Entry(series: series, incident: incident)
  }

  private func model(_ width: Int = 120, _ height: Int = 36, glyphs: GlyphTier = .braille) -> Model {
    var status = FeedStatus()
    status.sources = ["app.jsonl"]
    status.isLoaded = true
    var model = LiveFixture.model(
      width, height, depth: .none, glyphs: glyphs, now: Timestamp(Self.start + 600),
      feed: FeedSnapshot(store: Self.store, status: status))
    model.session.limits = LimitSet(["z.limited_ms": 400])
    var news = HistoryNews()
    news.incidents = FoundIncidents(
      [
        Self.entry(Self.past, .above, at: 200, from: 15, to: 1905, end: .returned(Self.start + 230)),
        Self.entry(Self.state, .outcome, at: 530, from: 0.001, to: 0.98),
        Self.entry(Self.limited, .above, at: 540, from: 105, to: 510),
        Self.entry(Self.small, .above, at: 541, from: 15, to: 90),
        Self.entry(Self.big, .above, at: 542, from: 15, to: 2580),
      ], isWhole: true)
    news.incidents?.pauses = [Self.quiet: 5]
    _ = update(&model, .history(news))
    return model
  }

  @Test(
    "is limits, incidents, silent ones, what is over, and the rest by name; words stand before no number in trouble"
  )
  func order() {
    let model = model()
    let rows = model.live.content.rows
    #expect(
      rows.map(\.label) == [
        "z.limited_ms", "y.big_ms", "x.small", "a.state", "w.quiet_ms", "v.past_ms", "b.usual_ms",
      ])
    let live = model.liveScreen
    #expect(
      rows.map { live.reason(of: $0, RowStats())?.words } == [
        "over its limit", "172×", "6×", "unusual 98%", "silent 21s", "was 127×", nil,
      ])
  }

  @Test("the first row is selected at the start, and the sentence is about it with what moved with it")
  func first() {
    let model = model()
    #expect(model.live.selection == .series(Self.limited))
    let line = view(model).buffer.lines[1]
    #expect(line.contains("▌ z.limited_ms 4.9× its usual: p95 5"), "\(line)")
    #expect(line.contains("ms, limit 400ms since 13:29:00, with y.big_ms 172×, x.small 6×"), "\(line)")
  }

  @Test(
    "each of the first rows ends with its reason, or its sign in a narrow list",
    arguments: [
      (120, 36, GlyphTier.braille, ["limit", "172×", "6×", "≠98%", "∅ 21s", "127×"]),
      (80, 24, .ascii, ["limit", "172x", "6x", "x98%", "0 21s", "127x"]),
      (40, 12, .braille, ["!", "↑", "↑", "≠"]),
    ])
  func column(width: Int, height: Int, glyphs: GlyphTier, expected: [String]) {
    let model = model(width, height, glyphs: glyphs)
    let area = model.liveScreen.layout.rows
    let lines = view(model).buffer.lines[area.y...]
    for (line, reason) in zip(lines, expected) {
      let row = line.prefix(area.maxX).reversed().drop { $0 == " " || $0 == "│" || $0 == "|" }
      #expect(String(row.reversed()).hasSuffix(" \(reason)"), "\(line)")
    }
  }

  @Test("what goes wrong while a person looks comes before what is less severe, and moves nothing else")
  func lift() {
    var model = model()
    _ = update(&model, .input(.key(KeyPress(.down))))
    var news = HistoryNews()
    let worse = Self.entry(Self.usual, .above, at: 590, from: 15, to: 600)
    news.incidents = FoundIncidents(
      [
        Self.entry(Self.small, .above, at: 541, from: 15, to: 90),
        Self.entry(Self.big, .above, at: 542, from: 15, to: 2580), worse,
      ], isWhole: true)
    news.incidents?.pauses = [Self.quiet: 5]
    _ = update(&model, .history(news))
    #expect(
      model.live.content.rows.map(\.label) == [
        "z.limited_ms", "y.big_ms", "b.usual_ms", "x.small", "a.state", "w.quiet_ms", "v.past_ms",
      ])
    #expect(model.live.selection == .series(Self.big))
  }

  @Test("the description names the first rows and why they are first")
  func words() {
    let text = model().spokenDescription
    #expect(
      text.contains(
        "7 metrics, worst first: z.limited_ms over its limit, y.big_ms 172 times, x.small 6 times"),
      "\(text)")
  }

  @Test(
    "unlikely comes before large, and what numbers say before what words say",
    arguments: [
      // Usual, distance in its spread, new level: of the worse first.
      ((10.0, 40.0, 50.0), (10.0, 4.0, 100.0)), ((10, 20, 30), (10, 20, 29)), ((10, 90, 500), (10, 90, 400)),
      ((0, 90, 50), (10, 90, 400)),
    ])
  func severity(worse: (Double, Double, Double), other: (Double, Double, Double)) {
    func severity(_ figures: (usual: Double, score: Double, level: Double)) -> Severity {
      var incident = Incident(kind: .above, start: 0, peak: figures.level, usual: figures.usual)
      incident.score = figures.score
      return incident.severity
    }
    #expect(severity(worse) > severity(other))
    #expect(severity(other) > Incident(kind: .outcome, start: 0, peak: 1, usual: 0).severity)
    #expect(severity(other) > Incident(kind: .silent, start: 0, peak: 1000, usual: 1).severity)
  }
}
