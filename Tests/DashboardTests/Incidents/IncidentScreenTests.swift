import Platform
import TerminalUI
import Testing

@testable import Aggregation
@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Incidents on the screens")
struct IncidentScreenTests {
  private static let start = IncidentFixture.start
  private static let request = IncidentFixture.request
  private static let queue = IncidentFixture.queue
  private static let pool = IncidentFixture.pool

  /// Half an hour with a peak of two metrics at 600 s and a smaller one of a third at 1200 s.
  private static var values: [IncidentFixture.Sample] {
    (0..<1800).flatMap { second -> [(SeriesIdentity, Double, Double)] in
      let time = start + Double(second)
      let (isFirst, isSecond) = ((600..<610).contains(second), (1200..<1210).contains(second))
      let noise = Double(second * 7 % 11)
      return [
        (request, time, isFirst ? 9000 + Double(second) : 70 + noise),
        (queue, time, isFirst ? 90 : 2 + noise / 5),
        (pool, time, isSecond ? 60 : 5 + noise / 10),
      ]
    }
  }

  private static let found: FoundIncidents = {
    var log = IncidentLog { _ in .values }
    for (series, time, value) in values {
      guard let number = log.number(of: series) else { continue }
      log.record(.number(value), at: time, of: number)
    }
    return FoundIncidents(groups: IncidentGroup.groups(of: log.entries), isWhole: true)
  }()

  private static let feed = IncidentFixture.feed(values)

  private func model(_ width: Int = 120, _ height: Int = 36, isKnown: Bool = true) -> Model {
    var model = LiveFixture.model(
      width, height, depth: .none, now: Timestamp(Self.start + 1800), feed: Self.feed)
    model.session.limits = LimitSet()
    var news = HistoryNews()
    if isKnown { news.incidents = Self.found }
    _ = update(&model, .history(news))
    return model
  }

  private func press(_ model: inout Model, _ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }

  @Test("the first line names the worst one, by how much and when, at every size")
  func sentence() {
    let wide = lines(model())[1]
    #expect(
      wide.contains("▌ net.request_ms 75.2ms → 9.60s (128× ±5) with queue 30× 13:30:00-13:30:09"), "\(wide)")
    #expect(wide.contains("1 more") && wide.contains("e Enter Enter its line"))
    #expect(
      lines(model(80, 24))[1].contains(
        "▌ net.request_ms 75.2ms → 9.60s (128×) with queue 30× 13:30:00-13:30:09"))
    #expect(lines(model(40, 12))[1].contains("▌ net.request_ms 128× 13:30:00-13:30:09"))
    #expect(lines(model(isKnown: false))[1].contains("Looking for incidents"))
  }

  @Test("of a series it is told when its numbers were unusual in a window, and in which incident")
  func stretches() {
    let incidents = model().session.incidents
    func part(_ from: Double, _ to: Double) -> ClosedRange<Double> { Self.start + from...Self.start + to }
    func lengths(_ series: SeriesIdentity, _ window: ClosedRange<Double>) -> [Double] {
      incidents.stretches(of: series, in: window).map { $0.upperBound - $0.lowerBound }
    }
    #expect(lengths(Self.request, part(0, 1800)) == [9] && lengths(Self.queue, part(0, 1800)) == [9])
    #expect(lengths(Self.request, part(605, 1800)) == [4], "as far as it is in the window")
    #expect(lengths(Self.request, part(700, 1800)).isEmpty && lengths(Self.pool, part(0, 700)).isEmpty)
    #expect(incidents.series(in: part(0, 700)) == [Self.request, Self.queue])
    #expect(incidents.series(in: part(1100, 1300)) == [Self.pool])
    func names(_ series: SeriesIdentity, _ window: ClosedRange<Double>) -> [String] {
      incidents.group(of: series, in: window, at: Self.start).map { $0.ranked.map(\.series.fullName) } ?? []
    }
    #expect(names(Self.queue, part(0, 1800)) == ["net.queue", "net.request_ms"], "it comes first itself")
    #expect(names(Self.pool, part(0, 1800)) == ["db.pool"] && names(Self.pool, part(0, 700)).isEmpty)
  }

  @Test("what moved together is one incident of the list, which no window changes")
  func list() {
    var model = model()
    let whole = model.session.alerts.events.filter { if case .incident = $0.kind { true } else { false } }
    #expect(whole.map(\.subject) == ["db.pool", "net.request_ms"])
    for key in ["+", "+", "-", "-", "-", "-", "-"] as [Character] {
      press(&model, KeyPress(key))
      let now = model.session.alerts.events.filter { if case .incident = $0.kind { true } else { false } }
      #expect(now == whole)
    }
  }

  @Test("the metrics of incidents stand first, and the worst one is selected")
  func order() {
    let model = model()
    #expect(model.live.content.rows.prefix(3).map(\.label) == ["net.request_ms", "db.pool", "net.queue"])
    #expect(model.live.selection == .series(Self.request))
  }

  @Test("e goes to where the worst began, to its worst sample, then through the list, on every screen")
  func steps() {
    var model = model()
    press(&model, KeyPress("e"))
    #expect(model.session.playhead == .frozen(Timestamp(Self.start + 600)))
    #expect(model.live.selection == .series(Self.request))
    #expect(lines(model)[1].contains("e its worst"))
    press(&model, KeyPress("e"))
    #expect(model.session.playhead == .frozen(Timestamp(Self.start + 609)))
    #expect(model.live.selection == .series(Self.request) && !lines(model)[1].contains("e its worst"))
    press(&model, KeyPress("e"))
    #expect(model.session.playhead == .frozen(Timestamp(Self.start + 1200)))
    #expect(model.live.selection == .series(Self.pool))
    press(&model, KeyPress("E"))
    #expect(model.session.playhead == .frozen(Timestamp(Self.start + 600)))
    press(&model, KeyPress("2"), KeyPress("e"))
    #expect(model.history.focus == Self.request && model.session.edge.seconds - Self.start == 609)
    press(&model, KeyPress("e"))
    #expect(model.history.focus == Self.pool && model.session.edge.seconds - Self.start == 1200)
  }

  @Test("e goes to where a limit was passed, to the worst sample since then, and q to live")
  func limit() {
    var store = SeriesStore()
    let id = store.series(for: Self.request)
    for second in 0..<600 {
      let value = second < 400 ? 50.0 : second == 507 ? 900 : 500
      store.record(id, time: Self.start + Double(second), value: .number(value))
    }
    var status = FeedStatus()
    status.isLoaded = true
    var model = LiveFixture.model(
      120, 36, depth: .none, now: Timestamp(Self.start + 600),
      feed: FeedSnapshot(store: store, status: status))
    model.session.limits = LimitSet(["net.request_ms": 100])
    _ = update(&model, .history(HistoryNews()))
    press(&model, KeyPress("e"))
    #expect(model.session.edge.seconds - Self.start == 400)
    #expect(lines(model)[1].contains("▌ net.request_ms p95") && lines(model)[1].contains("e its worst"))
    press(&model, KeyPress("e"))
    #expect(model.session.edge.seconds - Self.start == 507)
    press(&model, KeyPress("q"))
    #expect(!model.session.isFrozen && model.screen == "live")
    #expect(update(&model, .input(.key(KeyPress("q")))) == [.quit])
  }

  @Test("[ and ] go from peak to peak on every screen", arguments: ["1", "2", "3"] as [Character])
  func markers(screen: Character) {
    var model = model()
    press(&model, KeyPress(screen), KeyPress("["))
    #expect((1200..<1210).contains(model.session.edge.seconds - Self.start))
    press(&model, KeyPress("["))
    #expect(model.session.edge.seconds == Self.start + 609)
    press(&model, KeyPress("]"))
    #expect((1200..<1210).contains(model.session.edge.seconds - Self.start))
  }

  @Test("Enter opens the sample that it stands on in the history, q is back where it was")
  func drills() {
    var model = model()
    press(&model, KeyPress("e"), KeyPress(.enter))
    #expect(model.screen == "history" && model.history.focus == Self.request)
    #expect(model.session.edge.seconds == Self.start + 600 && model.history.pane == .table)
    #expect(model.history.window.contains(model.session.edge))
    press(&model, KeyPress("q"))
    #expect(model.screen == "live" && model.session.edge.seconds == Self.start + 600)
  }

  @Test("the first line follows the playhead: the incident that [ lands on, none that is still to come")
  func follows() {
    var model = model()
    press(&model, KeyPress("e"))
    #expect(lines(model)[1].contains("net.request_ms"))
    press(&model, KeyPress("]"), KeyPress("]"))
    #expect(lines(model)[1].contains("db.pool"))
    press(&model, KeyPress("["))
    #expect(lines(model)[1].contains("net.request_ms"))
    press(&model, KeyPress("t"))
    for character in "13:25" { press(&model, KeyPress(character)) }
    press(&model, KeyPress(.enter))
    #expect(lines(model)[1].contains("│ 2 later"), "\(lines(model)[1])")
    #expect(model.session.alertSelection == nil)
  }

  @Test("what happened to files does not stand before what went wrong in them")
  func files() {
    var model = model()
    var feed = Self.feed
    feed.status.events = [
      FeedEvent(.removed, at: Timestamp(Self.start + 1790), source: "app.jsonl", text: "is gone")
    ]
    _ = update(&model, .feed(feed))
    #expect(lines(model)[1].contains("net.request_ms"), "\(lines(model)[1])")
  }

  @Test("the command that Y copies draws the metric, the window and the moment")
  func command() {
    var model = model()
    press(&model, KeyPress("e"), KeyPress("+"))
    let words = model.front.command.joined(separator: " ")
    #expect(words.contains("--window 60.0s --metric net.request_ms --at \(Self.start + 600)"), "\(words)")
  }

  @Test("the rail has a sign where each was worst")
  func rail() {
    let rail = lines(model())[34]
    #expect(rail.count { $0 == "!" } == 2, "\(rail)")
    #expect(!lines(model(isKnown: false))[34].contains("!"))
    // Nor does the window's end hide the sign of the incident that it stands at.
    for screen in ["1", "2"] {
      var model = model()
      press(&model, KeyPress(Character(screen)), KeyPress("e"))
      let rail = lines(model)[34]
      #expect(rail.count { $0 == "!" } == 2, "\(rail)")
    }
  }

  @Test("what ended a minute ago is told before what was worse and is long over")
  func recent() {
    var model = model()
    press(&model, KeyPress("t"))
    for character in "13:40:40" { press(&model, KeyPress(character)) }
    press(&model, KeyPress(.enter))
    #expect(lines(model)[1].contains("db.pool"), "\(lines(model)[1])")
    press(&model, KeyPress("F"))
    #expect(lines(model)[1].contains("net.request_ms"), "\(lines(model)[1])")
  }

  @Test("of metrics that fall silent together the number is told, in a narrow window as well")
  func silentTogether() {
    let entries = [Self.request, Self.queue, Self.pool].map {
      IncidentLog.Entry(
        series: $0, incident: Incident(kind: .silent, start: Self.start + 1790, peak: 10, usual: 1))
    }
    var model = model(60, 18, isKnown: false)
    var news = HistoryNews()
    news.incidents = FoundIncidents(groups: IncidentGroup.groups(of: entries), isWhole: true)
    _ = update(&model, .history(news))
    #expect(lines(model)[1].contains("silent, +2 more since"), "\(lines(model)[1])")
  }

  @Test("the next mark or alert takes the metric of the alert along, as e does")
  func markers() {
    var model = model()
    press(&model, KeyPress("2"), KeyPress("["))
    #expect(model.history.focus == Self.pool)
    press(&model, KeyPress("["))
    #expect(model.history.focus == Self.request && model.session.toast?.text.contains("request_ms") == true)
    press(&model, KeyPress("["))
    #expect(model.session.toast?.text == "No earlier mark or alert")
  }

  @Test("what goes wrong while somebody looks comes to the top, and all else keeps its order")
  func lifted() {
    var model = model()
    press(&model, KeyPress("g"), KeyPress("G"))
    let before = model.live.content.rows.compactMap { row in row.series == nil ? nil : row.label }
    #expect(before.first?.contains("request_ms") == true)
    let entry = IncidentLog.Entry(
      series: Self.pool, incident: Incident(kind: .above, start: Self.start + 1795, peak: 50, usual: 5))
    var news = HistoryNews()
    news.incidents = FoundIncidents(
      groups: Self.found.groups + IncidentGroup.groups(of: [entry]), isWhole: true)
    _ = update(&model, .history(news))
    let after = model.live.content.rows.compactMap { row in row.series == nil ? nil : row.label }
    #expect(after.first?.contains("pool") == true, "\(after)")
    #expect(after.filter { !$0.contains("pool") } == before.filter { !$0.contains("pool") })
  }

  @Test("a row has a sign while its incident lasts, and none afterwards")
  func signs() {
    var model = model()
    #expect(model.session.alerts.signs[Self.request] == nil)
    press(&model, KeyPress("e"))
    #expect(model.session.alerts.signs[Self.request] == .aboveOwn)
    #expect(model.session.alerts.signs[Self.queue] == .aboveOwn)
    #expect(model.session.alerts.signs[Self.pool] == nil)
  }

  @Test("who comes back is told how many began meanwhile")
  func away() {
    var model = model(isKnown: false)
    model.session.now = Timestamp(Self.start + 1000)
    press(&model, KeyPress(" "))
    var news = HistoryNews()
    news.incidents = Self.found
    _ = update(&model, [.clock(Timestamp(Self.start + 1800)), .history(news)])
    press(&model, KeyPress(" "))
    #expect(model.session.toast?.text == "1 incident while you were away: e goes there")
  }

  @Test("who presses a key after five minutes is told, too; who was there is not", arguments: [299.0, 300])
  func absent(seconds: Double) {
    var model = model(isKnown: false)
    model.session.now = Timestamp(Self.start + 1201 - seconds)
    press(&model, KeyPress(.down))
    var news = HistoryNews()
    news.incidents = Self.found
    _ = update(&model, [.clock(Timestamp(Self.start + 1201)), .history(news)])
    press(&model, KeyPress(.down))
    #expect((model.session.toast != nil) == (seconds == 300))
  }

  @Test("a key changes the sensitivity: the incidents are searched again, and those of before do not count")
  func sensitivity() {
    var model = model()
    _ = update(&model, [])
    for (level, words) in [
      ("high", "about 10 false lines an hour"), ("low", "about 1 false line in 10 hours"),
      ("normal", "about 1 false line an hour"),
    ] {
      let effects = update(&model, .input(.key(KeyPress("$"))))
      #expect(model.session.toast?.text == "Sensitivity \(level): \(words)")
      #expect(effects.contains(.findIncidents) && effects.contains(.keep(model.session.notes)))
      #expect(model.session.notes.last.sensitivity == level)
    }
    press(&model, KeyPress("$"))
    var news = HistoryNews()
    news.incidents = FoundIncidents(isWhole: true)
    _ = update(&model, .history(news))
    #expect(!model.session.incidents.groups.isEmpty, "a search with the sensitivity of before")
    news.incidents?.sensitivity = .high
    _ = update(&model, .history(news))
    #expect(model.session.incidents.groups.isEmpty)
    var next = self.model()
    next.restore(model.keptNotes.last)
    #expect(next.session.sensitivity == .high)
  }

  @Test("samples that come in are looked at once a second, and only where a history can be asked")
  func asks() {
    var model = LiveFixture.model(120, 36, now: Timestamp(Self.start + 1800), feed: Self.feed)
    #expect(!update(&model, []).contains(.findIncidents))
    #expect(update(&model, .history(HistoryNews())).contains(.findIncidents))
    #expect(!update(&model, []).contains(.findIncidents) && model.incidentDeadline == nil)
    var grown = Self.feed
    let id = grown.store.series(for: Self.pool)
    grown.store.record(id, time: Self.start + 1800, value: .number(5))
    #expect(!update(&model, [.feed(grown)]).contains(.findIncidents))
    #expect(model.incidentDeadline == Timestamp(Self.start + 1801))
    #expect(update(&model, [.clock(Timestamp(Self.start + 1801))]).contains(.findIncidents))
  }
}

@Suite("When an alert began")
struct AlertStartTests {
  @Test("going over a limit begins when the file says so, whatever the window and its edge")
  func start() {
    let push = SeriesIdentity(bucket: "net", name: "push_ms", typeName: "Double")
    var starts: Set<Timestamp> = []
    for window in [60.0, 120, 600, 1800] {
      for now in [400.0, 405, 411.3, 437] {
        var store = SeriesStore()
        let id = store.series(for: push)
        for tick in 0..<Int(now * 4) {
          let time = Double(tick) / 4
          store.record(id, time: 816_960_000 + time, value: .number(time >= 351.25 ? 500 : 50))
        }
        let edge = Timestamp(816_960_000 + now)
        var scanner = LimitScanner(
          store: store, edge: edge, window: window, moment: edge, limits: LimitSet(["net.push_ms": 100]))
        for event in scanner.scan() { starts.insert(event.time) }
      }
    }
    // The second of the first sample over the limit begins with a sample of its own.
    #expect(starts == [Timestamp(816_960_351)])
  }
}
