import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Charts of texts")
struct TextChartTests {
  init() { adoptUTF8() }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }
  private func picture(_ model: Model) -> String { lines(model).map { $0 + "\n" }.joined() }

  private func live(_ width: Int, _ height: Int, glyphs: GlyphTier = .braille) -> Model {
    var model = LiveFixture.model(width, height, depth: .none, glyphs: glyphs)
    model.live.selection = .series(SeriesIdentity(bucket: "sync", name: "state", typeName: "String"))
    _ = update(&model, [])
    return model
  }

  @Test("Live draws a row for each value", arguments: HistoryPictureTests.sizes + [(60, 16)])
  func live(width: Int, height: Int) throws {
    let model = live(width, height)
    try expectGolden(picture(model), "live-\(width)x\(height)-texts")
    #expect(height < 16 || lines(model).contains { $0.contains("share of each value") })
  }

  @Test("with ASCII alone")
  func ascii() throws { try expectGolden(picture(live(80, 24, glyphs: .ascii)), "live-80x24-texts-ascii") }

  @Test(
    "History draws them over any stretch, and the playhead with them", arguments: HistoryPictureTests.sizes)
  func history(width: Int, height: Int) throws {
    var model = HistoryFixture.model(width, height, keys: [KeyPress("'"), KeyPress("a")])
    model.history.focus = HistoryFixture.outcome
    HistoryFixture.press(KeyPress("+"), &model)
    HistoryFixture.press(KeyPress("+"), &model)
    model.session.toast = nil
    try expectGolden(picture(model), "history-\(width)x\(height)-texts")
    #expect(height < 16 || lines(model).contains { $0.contains("share of each value") })
  }

  private func counts(_ counts: [(String?, Int)]) -> [TextColumns.Count] {
    counts.map { TextColumns.Count(text: $0.0, count: $0.1) }
  }

  @Test("four values have a row, all others share one; five need no other")
  func others() {
    let five = counts([("a", 5), ("b", 4), ("c", 3), ("d", 2), ("e", 1)])
    #expect(TextColumns([five]).lanes.map(\.text) == ["a", "b", "c", "d", "e"])
    let six = TextColumns([five, counts([("f", 1), (nil, 2)])])
    #expect(six.lanes.map(\.text) == ["a", "b", "c", "d", nil])
    #expect(six.lanes.last?.counts == [1, 3] && six.others == 2 && six.totals == [15, 3])
    let three = six.limited(to: 3)
    #expect(three.lanes.map(\.total) == [5, 4, 9] && three.others == 4)
    #expect(TextColumns([[], []]).isEmpty)
  }

  @Test("a store counts its texts by columns as its samples say, also where they are sums alone")
  func store() {
    var store = SeriesStore()
    let id = store.series(for: SeriesIdentity(bucket: nil, name: "m", typeName: "T"))
    for place in 0..<100 {
      store.record(id, time: Double(place), value: place < 50 || place % 5 > 0 ? .text("ok") : .text("fail"))
    }
    store.record(id, time: 60.5, value: .null)
    let columns = store.textColumns(of: id, from: 0, to: 100, count: 4)
    #expect(columns.lanes.map(\.text) == ["ok", "fail"])
    #expect(columns.lanes.map(\.counts) == [[25, 25, 20, 20], [0, 0, 5, 5]])
    #expect(columns.totals == [25, 25, 25, 25])
    #expect(store.textColumns(of: id, from: 5, to: 5, count: 4).isEmpty)
  }
}
