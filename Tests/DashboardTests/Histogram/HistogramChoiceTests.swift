import Codecs
import History
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Aggregation
@testable import DashboardCore
@testable import HistogramScreen
@testable import LiveScreen

@Suite("What 3 shows without a choice")
struct HistogramChoiceTests {
  private static let start = 816_960_000.0
  private static func request(_ field: String) -> SeriesIdentity {
    SeriesIdentity(bucket: "api", name: "checkout", typeName: "Request", field: field)
  }
  private static let orders = SeriesIdentity(bucket: "db", name: "orders_ms", typeName: "Double")
  private static let trips = SeriesIdentity(bucket: "SyncEngine", name: "Trip", typeName: "Int")
  private static let state = SeriesIdentity(bucket: "sync", name: "state", typeName: "String")

  /// Ten minutes with a release after nine of them, a sample a second.
  private static let feed: FeedSnapshot = {
    var store = SeriesStore()
    for second in 0..<600 {
      func record(_ identity: SeriesIdentity, _ value: SeriesValue) {
        store.record(store.series(for: identity), time: start + Double(second), value: value)
      }
      let (isNew, noise) = (second >= 540, Double(second * 7 % 11))
      record(request("ms"), .number(isNew ? 2000 + noise : 100 + noise))
      record(request("items"), .number(3 + noise / 10))
      record(request("version"), .text(isNew ? "2.4.1" : "2.4.0"))
      record(orders, .number(isNew ? 1900 + noise : 11 + noise / 10))
      if second % 300 == 0 { record(trips, .number(1)) }
      record(state, .text(second % 10 == 0 && isNew ? "backoff" : "idle"))
    }
    var status = FeedStatus()
    status.sources = ["app.jsonl"]
    status.isLoaded = true
    return FeedSnapshot(store: store, status: status)
  }()

  /// Every sample of a series with its version, and of a text with its value.
  private static func cube(of series: SeriesIdentity, _ window: Range<Timestamp>?) -> SampleCube {
    var cube = SampleCube(step: 2)
    for second in 0..<600 {
      let (time, isNew) = (start + Double(second), second >= 540)
      guard window?.contains(Timestamp(time)) ?? true else { continue }
      let version = SampleCube.Label("version", isNew ? "2.4.1" : "2.4.0")
      if series == state {
        let value = second % 10 == 0 && isNew ? "backoff" : "idle"
        cube.record(0, at: time, labels: [version, SampleCube.Label(SampleCube.valueDimension, value)])
      } else {
        cube.record(isNew ? 2000 : 100, at: time, labels: series == orders ? [] : [version])
      }
    }
    return cube
  }

  private static func answer(to query: HistoryQuery) -> HistoryAnswer {
    var answer = HistoryAnswer(query: query)
    answer.files = ["app.jsonl"]
    answer.range = Timestamp(start)...Timestamp(start + 600)
    answer.series = [request("ms"), orders, trips, state].map {
      HistorySeries(identity: $0, count: 0, total: 600)
    }
    if let wanted = query.histogram, let series = wanted.series {
      answer.cube = cube(of: series, wanted.window)
      #expect(wanted.isOfTexts == (series == state))
    }
    return answer
  }

  private func model(selecting series: SeriesIdentity, hasRelease: Bool = true) -> Model {
    var model = LiveFixture.model(
      120, 36, depth: .none, now: Timestamp(Self.start + 600), feed: Self.feed)
    model.session.limits = LimitSet()
    var news = HistoryNews()
    let release = Annotation(
      time: Timestamp(Self.start + 540), text: "2.4.1", before: "2.4.0", series: Self.request("version"))
    news.incidents = FoundIncidents(annotations: hasRelease ? [release] : [], isWhole: true)
    model.answer(updateAtOnce(&model, [.history(news)]), with: Self.answer(to:))
    press(&model, KeyPress(.down))
    model.live.selection = .series(series)
    return model
  }

  private func press(_ model: inout Model, _ keys: KeyPress...) {
    for key in keys { _ = model.press(key, with: Self.answer(to:)) }
  }

  @Test(
    "the selected metric; of a text, or one with too few samples, the versioned one that the release changed most"
  )
  func subject() {
    for (selected, expected) in [
      (Self.orders, Self.orders), (Self.request("ms"), Self.request("ms")), (Self.state, Self.request("ms")),
      (Self.trips, Self.request("ms")),
    ] {
      var model = model(selecting: selected)
      press(&model, KeyPress("3"))
      #expect(model.histogram.subject == .series(expected), "\(selected.fullName)")
      #expect(model.histogram.content.figures?.a.count ?? 0 > 0)
      press(&model, KeyPress("1"))
      #expect(model.live.selection == .series(selected), "\(selected.fullName)")
      // A later choice is shown.
      model.live.selection = .series(Self.orders)
      press(&model, KeyPress("3"))
      #expect(model.histogram.subject == .series(Self.orders))
    }
  }

  @Test("without a release a text shows the shares of its values")
  func withoutRelease() {
    var model = model(selecting: Self.state, hasRelease: false)
    press(&model, KeyPress("3"))
    #expect(model.histogram.subject == .series(Self.state))
    let content = model.histogram.content
    #expect(content.labels == ["idle", "backoff"])
    #expect(
      content.figures?.rows.map(\.a.count) == [54, 6] && content.figures?.rows.map(\.b.count) == [540, 0])
    #expect(
      content.verdict?.sentence == "2.4.1 has more backoff: 10.0% against 0.0%, n 60 and 540",
      "\(content.verdict?.sentence ?? "")")
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("VALUE") } && lines.contains { $0.contains("backoff") })
    for (width, height) in [(80, 24), (40, 12), (20, 5), (240, 80)] {
      model.session.size = Size(width: width, height: height)
      press(&model, KeyPress(.down))
      #expect(view(model).buffer.lines.joined().contains(width < 40 ? "state" : "idle"), "\(width)x\(height)")
    }
  }

  @Test("i and c on a text show its shares, in a window that holds both sides")
  func asked() {
    var model = model(selecting: Self.state)
    press(&model, KeyPress("i"))
    #expect(
      model.histogram.subject == .series(Self.state) && model.histogram.options.sides.range == .last(120))
    #expect(model.histogram.content.figures?.b?.count ?? 0 > 0)
  }

  @Test("V takes all times where a side has no sample in the range")
  func widens() {
    var model = model(selecting: Self.request("ms"))
    press(&model, KeyPress("1"), KeyPress("+"), KeyPress("+"), KeyPress("i"))
    #expect(model.histogram.options.sides.range == .last(30))
    press(&model, KeyPress("V"))
    #expect(model.histogram.options.sides.range == .all)
    #expect(model.session.toast?.text == "All times: 2.4.0 has no samples in the last 30s")
    #expect(
      model.histogram.content.figures?.a.count == 60 && model.histogram.content.figures?.b?.count == 540)
  }
}
