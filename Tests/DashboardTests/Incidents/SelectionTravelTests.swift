import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistogramScreen
@testable import HistoryScreen
@testable import LiveScreen

@Suite("One selection on all screens")
struct SelectionTravelTests {
  private static func series(_ name: String) -> SeriesIdentity {
    SeriesIdentity(bucket: "app", name: name, typeName: "Double")
  }

  private static let feed: FeedSnapshot = {
    var store = SeriesStore()
    for name in ["a", "b", "c"] {
      for second in 0..<60 {
        store.record(
          store.series(for: series(name)), time: 9940 + Double(second), value: .number(Double(second)))
      }
    }
    var status = FeedStatus()
    status.isLoaded = true
    return FeedSnapshot(store: store, status: status)
  }()

  private var model = LiveFixture.model(120, 36, depth: .none, now: Timestamp(10_000), feed: Self.feed)

  private mutating func press(_ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  @Test("the metric goes from Live to the history at each visit, and back")
  mutating func both() {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("g"))
    for name in ["a", "b", "c"] {
      model.live.selection = .series(Self.series(name))
      press(KeyPress("2"))
      #expect(model.history.focus == Self.series(name))
      press(KeyPress("1"))
    }
    press(KeyPress("2"))
    model.historyScreen.focus(on: Self.series("b"))
    press(KeyPress("1"))
    #expect(model.live.selection == .series(Self.series("b")))
  }

  @Test("how much of the past is seen goes from Live to the history and back; what no one zoomed stays")
  mutating func zoom() {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("2"))
    #expect(model.history.span == nil && model.session.window == 120)
    press(KeyPress("1"), KeyPress("+"), KeyPress("2"))
    #expect(model.history.span == 60 && model.session.window == 60)
    press(KeyPress("+"), KeyPress("1"))
    let span = model.history.span
    #expect(span == model.session.window && span != 60)
    press(KeyPress("="), KeyPress("2"))
    #expect(model.history.span == nil && model.session.window == 120)
  }

  @Test("who goes back from a metric's samples finds the window that they left, whatever was zoomed there")
  mutating func zoomAndBack() {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("+"), KeyPress("g"), KeyPress(.enter))
    #expect(model.history.span == 60)
    press(KeyPress("+"), KeyPress("+"), KeyPress("q"))
    #expect(model.session.tabs.selection == 0 && model.session.window == 60)
  }

  @Test("metric, window and selected range go to the histogram and from there, at each visit")
  mutating func histogram() throws {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("g"))
    model.live.selection = .series(Self.series("a"))
    press(KeyPress("3"))
    #expect(
      model.histogram.subject == .series(Self.series("a")) && model.histogram.options.sides.range == .all)
    press(KeyPress("1"), KeyPress("+"))
    model.live.selection = .series(Self.series("b"))
    press(KeyPress("3"))
    #expect(
      model.histogram.subject == .series(Self.series("b")) && model.histogram.options.sides.range == .last(60)
    )
    press(KeyPress("="), KeyPress("2"))
    #expect(model.history.focus == Self.series("b") && model.history.span == nil)
    model.history.selection = (Timestamp(9950), Timestamp(9970))
    press(KeyPress("3"))
    #expect(model.histogram.options.sides.range == .fixed(Timestamp(9950)..<Timestamp(9970)))
    press(KeyPress("1"), KeyPress("3"))
    #expect(
      model.histogram.options.sides.range == .fixed(Timestamp(9950)..<Timestamp(9970))
        && model.session.window == 120)
  }

  @Test("who opened the histogram by its key goes back to the screen that they came from")
  mutating func histogramAndBack() {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("g"), KeyPress("2"))
    model.historyScreen.focus(on: Self.series("c"))
    press(KeyPress("i"))
    #expect(model.session.tabs.selection == 2 && model.histogram.subject == .series(Self.series("c")))
    press(KeyPress("q"))
    #expect(model.session.tabs.selection == 1 && model.history.focus == Self.series("c"))
    press(KeyPress("1"), KeyPress("3"), KeyPress("q"))
    #expect(model.session.tabs.selection == 0)
  }

  @Test("a screen in between changes nothing, and a filter that hides the metric keeps its own")
  mutating func between() {
    _ = update(&model, .history(HistoryNews()))
    press(KeyPress("2"))
    model.historyScreen.focus(on: Self.series("c"))
    press(KeyPress("4"), KeyPress("1"))
    #expect(model.live.selection == .series(Self.series("c")))
    model.live.filter = "app.a"
    press(KeyPress("g"))
    model.history.focus = Self.series("b")
    press(KeyPress("2"), KeyPress("1"))
    #expect(model.live.selection == .series(Self.series("a")))
  }
}
