import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("A logarithmic value axis")
struct LogAxisTests {
  init() { adoptUTF8() }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }
  private func picture(_ model: Model) -> String { lines(model).map { $0 + "\n" }.joined() }

  @Test(
    "values that differ by much have it at once; L draws a linear one and back",
    arguments: HistoryPictureTests.chartSizes)
  func live(width: Int, height: Int) throws {
    var model = ChartFixture.live(width, height, "latency_ms")
    let logarithmic = picture(model)
    try expectGolden(logarithmic, "live-\(width)x\(height)-log")
    _ = update(&model, .input(.key(KeyPress("L"))))
    #expect(model.session.toast?.text == "Value axis: linear")
    model.session.toast = nil
    #expect(lines(model).contains { $0.contains("  0ms ") })
    _ = update(&model, .input(.key(KeyPress("L"))))
    #expect(model.session.toast?.text == "Value axis: logarithmic")
    model.session.toast = nil
    #expect(picture(model) == logarithmic)
  }

  @Test("what differs by little, or is not above 0, has a linear one", arguments: ["mixed", "huge"])
  func linear(metric: String) {
    #expect(!ChartFixture.live(120, 36, metric).session.hasLogarithmicAxis)
    #expect(!LiveFixture.model(120, 36).session.hasLogarithmicAxis)
  }

  @Test(
    "it goes with the person to History, where band, line and ticks follow it",
    arguments: HistoryPictureTests.chartSizes)
  func history(width: Int, height: Int) throws {
    var model = HistoryFixture.model(width, height, keys: HistoryPictureTests.atSpike)
    if !model.session.hasLogarithmicAxis { HistoryFixture.press(KeyPress("L"), &model) }
    model.session.isLogarithmic = true
    model.session.toast = nil
    try expectGolden(picture(model), "history-\(width)x\(height)-log")
    HistoryFixture.press(KeyPress("1"), &model)
    #expect(height < 36 || lines(model).contains { $0.contains("log (L)") })
  }

  @Test(
    "what has no logarithm is at its foot or linear, and that is said",
    arguments: [
      ("mixed", "log (L), 0 and less at its foot"), ("negative", "linear: nothing above 0"),
      ("latency_ms", "log (L)"), ("huge", "log (L), 0 and less at its foot"),
    ])
  func said(metric: String, words: String) {
    var model = ChartFixture.live(160, 40, metric)
    if !model.session.hasLogarithmicAxis { _ = update(&model, .input(.key(KeyPress("L")))) }
    #expect(lines(model).contains { $0.contains(words) })
  }

  @Test("shares stay linear")
  func shares() {
    var model = LiveFixture.model(120, 36)
    let reachable = model.session.store.allSeries.compactMap { model.session.store.identity(of: $0) }
      .first { $0.name == "reachable" }
    model.live.selection = reachable.map { .series($0) }
    _ = update(&model, .input(.key(KeyPress("L"))))
    #expect(lines(model).contains { $0.contains("shares stay linear") })
    #expect(lines(model).contains { $0.contains(" 100% ") })
  }

  @Test("a limit stands where its value does, and one without a logarithm nowhere")
  func limits() throws {
    let model = ChartFixture.live(
      120, 36, "latency_ms", limits: ["io.latency_ms": 200])
    let rows = lines(model)
    let limit = rows.firstIndex { $0.contains("limit p95 200ms") }
    let above = rows.firstIndex { $0.contains("   1s ") }
    let below = rows.firstIndex { $0.contains(" 100ms ") }
    #expect(try #require(above) < #require(limit) && #require(limit) < #require(below))
    let none = ChartFixture.live(
      120, 36, "latency_ms", limits: ["io.latency_ms": -4])
    #expect(!lines(none).contains { $0.contains("limit p95 -4") })
  }

  @Test(
    "no value traps or is cut, on either axis, in any tier, at any size",
    arguments: ChartFixture.names, GlyphTier.allCases)
  func extremes(metric: String, glyphs: GlyphTier) {
    for (width, height) in ChartFixture.sizes {
      for keys in [[], [KeyPress("L")], [KeyPress("L"), KeyPress("_"), KeyPress("+")]] {
        let model = ChartFixture.live(width, height, metric, glyphs: glyphs, keys: keys)
        #expect(lines(model).count == height)
      }
    }
  }
}
