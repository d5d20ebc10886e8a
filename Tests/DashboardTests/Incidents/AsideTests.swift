import Platform
import TerminalUI
import Testing

@testable import Aggregation
@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Incidents that the user puts aside")
struct AsideTests {
  private static let start = IncidentFixture.start
  private static let request = IncidentFixture.request
  private static let queue = IncidentFixture.queue
  private static let pool = IncidentFixture.pool

  private typealias Planted = (
    series: SeriesIdentity, kind: Incident.Kind, start: Double, end: Double?, factor: Double
  )

  /// Two that began together and last, and one that is over.
  private static let planted: [Planted] = [
    (request, .above, 600, nil, 100), (queue, .above, 603, nil, 9), (pool, .outlier, 1200, 1205, 5),
  ]

  private static func found(_ planted: [Planted] = planted) -> FoundIncidents {
    let entries = planted.sorted { $0.start < $1.start }.map { plant in
      var incident = Incident(kind: plant.kind, start: start + plant.start, peak: plant.factor, usual: 1)
      incident.end = plant.end.map { .returned(start + $0) } ?? .none
      return IncidentLog.Entry(series: plant.series, incident: incident)
    }
    var found = FoundIncidents(entries, isWhole: true)
    found.watch = IncidentWatch(count: 3)
    return found
  }

  private static let feed = IncidentFixture.feed(
    (0..<1800).flatMap { second in
      [request, queue, pool].map { ($0, start + Double(second), Double(second % 7)) }
    })

  private func model(_ notes: HistoryNotes = HistoryNotes(), limits: LimitSet = LimitSet()) -> Model {
    var model = LiveFixture.model(
      120, 36, depth: .none, now: Timestamp(Self.start + 1800), feed: Self.feed)
    (model.session.limits, model.session.notes) = (limits, notes)
    model.restore(notes.last)
    tell(&model, Self.found())
    return model
  }

  private func tell(_ model: inout Model, _ found: FoundIncidents) {
    var news = HistoryNews()
    news.incidents = found
    _ = update(&model, [.feed(Self.feed), .history(news)])
  }

  @discardableResult
  private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  /// The header's number of problems, and the first line.
  private func head(_ model: Model) -> String { view(model).buffer.lines.prefix(2).joined(separator: "\n") }

  /// The subjects of «What changed», with what is said before their texts.
  private func listed(_ model: Model) -> [String] {
    model.session.alerts.events.map { $0.note + $0.subject }
  }

  /// The same file, opened again with what was kept.
  private func reopened(_ model: Model) throws -> Model {
    self.model(try #require(HistoryNotes.decoded(model.keptNotes.encoded)))
  }

  // MARK: x

  @Test("x acknowledges the incident of the first line: the list keeps it, the line names the next, or none")
  func acknowledged() throws {
    var model = model()
    #expect(head(model).contains("│ ! 1 │"))
    #expect(head(model).contains("▌ net.request_ms 1ms → 100ms (100×) with queue 9×"))
    let effects = press(&model, KeyPress("x"))
    #expect(effects.contains(.keep(model.session.notes)))
    let toast = "Acknowledged net.request_ms 100×: it stays in the list of changes"
    #expect(model.session.toast?.text == toast)
    #expect(!head(model).contains("│ ! ") && head(model).contains("▌ db.pool"), "\(head(model))")
    #expect(!head(model).contains("more"), "what is acknowledged is no more to do")
    #expect(listed(model) == ["db.pool", "acknowledged: net.request_ms"])
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("net.request_ms") && $0.contains("acknowledged: 1ms → 100ms") })
    press(&model, KeyPress("x"))
    let line = head(model)
    #expect(line.contains("1 metric as usual") && line.contains("│ 2 acknowledged"), "\(line)")
    #expect(listed(model) == ["acknowledged: db.pool", "acknowledged: net.request_ms"])
    let next = try reopened(model)
    #expect(listed(next) == listed(model) && head(next) == head(model))
  }

  @Test("x again takes it back: of the last one where the line names none, else of the chosen one")
  func takenBack() {
    var model = model()
    press(&model, KeyPress("x"), KeyPress("x"), KeyPress("x"))
    #expect(listed(model) == ["db.pool", "acknowledged: net.request_ms"])
    press(&model, KeyPress("e"), KeyPress("e"))
    #expect(head(model).contains("▌ net.request_ms acknowledged: 1ms → 100ms"), "\(head(model))")
    press(&model, KeyPress("x"))
    #expect(model.session.toast?.text == "net.request_ms is no longer acknowledged")
    #expect(listed(model) == ["db.pool", "net.request_ms"])
    #expect(model.keptNotes.last.acknowledged.isEmpty)
  }

  @Test("a new incident is named, and the same one is not when more of it becomes known")
  func more() {
    var model = model()
    press(&model, KeyPress("x"), KeyPress("x"))
    tell(&model, Self.found(Self.planted + [(Self.pool, .above, 592, nil, 400)]))
    #expect(
      listed(model) == ["acknowledged: db.pool", "acknowledged: db.pool"], "it leads the first one now")
    tell(&model, Self.found(Self.planted + [(Self.queue, .above, 1790, nil, 3)]))
    #expect(head(model).contains("│ ! 1 │") && head(model).contains("▌ net.queue 1 → 3"), "\(head(model))")
  }

  @Test("History says of an incident that it is acknowledged, and x takes that back there, too")
  func history() {
    var model = model()
    press(&model, KeyPress("x"), KeyPress("2"))
    model.history.focus = Self.request
    model.history.window = Timestamp(Self.start)..<Timestamp(Self.start + 1800)
    #expect(model.front.headline?.isAcknowledged == true)
    press(&model, KeyPress("x"))
    #expect(model.front.headline?.isAcknowledged == false)
  }

  @Test("with an excess of a limit the incident of the same metric is acknowledged, and those that it names")
  func limit() {
    var model = model(limits: LimitSet(["net.request_ms": 2]))
    #expect(head(model).contains("limit 2ms"), "\(head(model))")
    press(&model, KeyPress("x"))
    #expect(model.session.alerts.count(at: model.session.present) == 0, "\(listed(model))")
    #expect(head(model).contains("▌ db.pool"), "\(head(model))")
  }

  @Test("of two excesses of limits that began together, one is taken back and the other is not")
  func twoLimits() {
    var model = model(limits: LimitSet(["net.request_ms": 2, "db.pool": 2]))
    tell(&model, Self.found([(Self.request, .above, 600, nil, 100)]))
    press(&model, KeyPress("x"), KeyPress("x"))
    let metrics = { (model: Model) in Set(model.session.notes.last.acknowledged.map(\.metric)) }
    #expect(metrics(model) == ["net.request_ms", "db.pool"], "\(listed(model))")
    press(&model, KeyPress("x"))
    #expect(metrics(model) == ["db.pool"], "\(model.session.notes.last.acknowledged)")
  }

  @Test("a screen whose first line names no incident acknowledges none")
  func elsewhere() {
    var model = model()
    press(&model, KeyPress("4"), KeyPress("x"))
    #expect(model.session.notes.last.acknowledged.isEmpty)
    #expect(model.session.toast?.text.contains("the first line names no incident") == true)
  }

  // MARK: X

  /// Chooses from the list that `X` opens.
  private func ignore(_ title: String, _ model: inout Model) throws {
    press(&model, KeyPress("X"))
    let place = try #require(
      model.ignorable.firstIndex { $0.title == title }, "\(model.ignorable.map(\.title))")
    for _ in 0..<place { press(&model, KeyPress(.down)) }
    press(&model, KeyPress(.enter))
  }

  @Test(
    "X lists what can be ignored: the metric of the first line, its kind of change, and that of all metrics")
  func choices() {
    var model = model()
    press(&model, KeyPress("X"))
    let rows = view(model).buffer.lines
    for title in [
      "Ignore in this file", "Ignore net.request_ms", "Ignore level changes of net.request_ms",
      "Ignore level changes of all metrics",
    ] {
      #expect(rows.contains { $0.contains(title) }, "\(title)")
    }
    press(&model, KeyPress(.escape), KeyPress("j"), KeyPress("X"))
    #expect(model.ignorable.count == 4, "and the selected metric, where it is another one")
  }

  @Test("an ignored metric has no incident, also after the next opening, until X shows it again")
  func ignored() throws {
    var model = model()
    try ignore("Ignore net.request_ms", &model)
    #expect(model.session.toast?.text == "Ignored in this file: net.request_ms; X lists it")
    #expect(head(model).contains("▌ net.queue 1 → 9 (9×)") && listed(model) == ["db.pool", "net.queue"])
    tell(&model, Self.found(Self.planted + [(Self.request, .silent, 1700, nil, 50)]))
    #expect(listed(model) == ["db.pool", "net.queue"])
    var next = try reopened(model)
    #expect(listed(next) == listed(model) && head(next) == head(model))
    try ignore("Ignored: net.request_ms (Enter shows it again)", &next)
    #expect(listed(next) == ["db.pool", "net.request_ms"])
    #expect(next.session.toast?.text == "No longer ignored: net.request_ms")
    #expect(next.keptNotes.last.ignored.isEmpty)
  }

  @Test("an ignored kind of change leaves the other kinds, of the metric or of all")
  func kinds() throws {
    var model = model()
    tell(&model, Self.found(Self.planted + [(Self.request, .rate, 1400, nil, 3)]))
    try ignore("Ignore level changes of net.request_ms", &model)
    #expect(listed(model) == ["net.request_ms", "db.pool", "net.queue"])
    try ignore("Ignore level changes of all metrics", &model)
    #expect(listed(model) == ["net.request_ms", "db.pool"])
  }

  @Test("the first line does not count what is ignored or acknowledged as usual")
  func count() throws {
    var model = model()
    try ignore("Ignore level changes of all metrics", &model)
    press(&model, KeyPress("x"))
    let line = view(model).buffer.lines[1]
    #expect(line.contains("1 metric as usual") && line.contains("│ 1 acknowledged │ 1 ignored"), "\(line)")
  }
}
