import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("Pinned curves")
struct PinTests {
  init() { adoptUTF8() }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }
  private func picture(_ model: Model) -> String { lines(model).map { $0 + "\n" }.joined() }

  /// The Live screen with these metrics pinned and another one selected.
  private func live(
    _ width: Int, _ height: Int, pins: [String], selected: String, glyphs: GlyphTier = .braille
  ) -> Model {
    var model = LiveFixture.model(width, height, depth: .none, glyphs: glyphs)
    for name in pins.filter({ $0 != selected }) + [selected] {
      guard let identity = identity(name, in: model) else { continue }
      model.live.selection = .series(identity)
      _ = update(&model, [])
      if pins.contains(name) { _ = update(&model, .input(.key(KeyPress("H")))) }
    }
    model.session.toast = nil
    return model
  }

  private func identity(_ name: String, in model: Model) -> SeriesIdentity? {
    let store = model.session.store
    return store.allSeries.lazy.compactMap { store.identity(of: $0) }.first { $0.fullName == name }
  }

  @Test("of one unit stand on one axis, each with its sign", arguments: HistoryPictureTests.chartSizes)
  func oneAxis(width: Int, height: Int) throws {
    let model = live(width, height, pins: ["sync.pull_ms", "net.rtt_ms"], selected: "sync.push_ms")
    try expectGolden(picture(model), "live-\(width)x\(height)-pins")
    #expect(!picture(model).contains("own range"))
  }

  @Test(
    "of several units stand below each other, in each glyph tier", arguments: GlyphTier.allCases)
  func ownRanges(glyphs: GlyphTier) throws {
    let model = live(
      120, 36, pins: ["sync.push_ms", "sync.queue_count", "net.reachable", "mem.footprint_bytes"],
      selected: "sync.push_ms", glyphs: glyphs)
    try expectGolden(picture(model), "live-120x36-pins-\(glyphs.rawValue)")
    // Each has an axis of its own.
    #expect(["0ms", "100%", "210M"].allSatisfy { picture(model).contains($0) })
  }

  @Test(
    "go with the person to History and back, with the values at the playhead",
    arguments: HistoryPictureTests.chartSizes)
  func history(width: Int, height: Int) throws {
    var model = HistoryFixture.model(width, height, keys: HistoryPictureTests.atSpike + [KeyPress("H")])
    #expect(model.session.pins == [HistoryFixture.push])
    HistoryFixture.press(KeyPress("1"), &model)
    model.live.selection = identity("net.rtt_ms", in: model).map { .series($0) }
    _ = update(&model, [])
    HistoryFixture.press(KeyPress("H"), &model)
    HistoryFixture.press(KeyPress("2"), &model)
    #expect(model.session.pins.map(\.fullName) == ["sync.push.total_ms", "net.rtt_ms"])
    model.session.toast = nil
    try expectGolden(picture(model), "history-\(width)x\(height)-pins")
    for name in ["push.total_ms 4", "rtt_ms 4"] { #expect(lines(model).contains { $0.contains(name) }) }
    HistoryFixture.press(KeyPress("H"), &model)
    #expect(model.session.pins == [HistoryFixture.push])
    #expect(model.session.toast?.text == "Unpinned net.rtt_ms")
  }

  @Test("are in the command that Y copies, as the axis is, and a frame of that command shows them")
  func command() throws {
    var model = LiveFixture.model(120, 36)
    model.session.pins = ["sync.pull_ms", "net.rtt_ms"].compactMap { identity($0, in: model) }
    model.session.isLogarithmic = true
    let words = model.liveScreen.session.chartWords
    #expect(words == ["--log", "--pin", "sync.pull_ms", "--pin", "net.rtt_ms"])
    #expect(model.liveScreen.command.contains("--log"))
    var arrangement = Arrangement()
    (arrangement.isLogarithmic, arrangement.pins) = (true, ["sync.pull_ms", "no.such", "net.rtt_ms"])
    var drawn = LiveFixture.model(120, 36)
    _ = drawn.arrange("live", arrangement)
    #expect(drawn.session.pins == model.session.pins && drawn.session.isLogarithmic == true)
  }

  @Test("are four at most, and of metrics with a curve alone")
  func limits() {
    var model = live(
      120, 36, pins: ["sync.push_ms", "sync.pull_ms", "net.rtt_ms", "db.write_ms"], selected: "ui.frame_ms")
    _ = update(&model, .input(.key(KeyPress("H"))))
    #expect(model.session.pins.count == 4)
    #expect(model.session.toast?.text == "4 metrics are pinned; H on one of them unpins it")
    model = live(120, 36, pins: [], selected: "sync.state")
    _ = update(&model, .input(.key(KeyPress("H"))))
    #expect(model.session.pins.isEmpty && model.session.toast?.text.contains("no curve to pin") == true)
    model = live(40, 12, pins: ["sync.push_ms"], selected: "net.rtt_ms")
    #expect(model.session.pins.isEmpty)
  }

  @Test("that are no longer in the file, or have no value in the window, are said with a dash")
  func gone() {
    var model = live(120, 36, pins: ["sync.pull_ms"], selected: "sync.push_ms")
    model.session.pins.append(SeriesIdentity(bucket: "no", name: "such_ms", typeName: "T"))
    _ = update(&model, [])
    #expect(lines(model).contains { $0.contains("such_ms -") })
  }

  @Test("never trap, whatever their values", arguments: ChartFixture.names, [false, true])
  func extremes(metric: String, isLogarithmic: Bool) {
    for (width, height) in ChartFixture.sizes {
      var model = ChartFixture.live(width, height, metric)
      model.session.pins = ["wide", "huge", "tiny", "mixed"].map { ChartFixture.identity($0) }
      model.session.isLogarithmic = isLogarithmic
      _ = update(&model, [])
      #expect(lines(model).count == height)
    }
  }
}
