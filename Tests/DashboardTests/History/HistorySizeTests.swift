import Aggregation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen

@Suite("Every size of the History screen")
struct HistorySizeTests {
  init() { adoptUTF8() }

  @Test("no box is cut, the selection and the ? are seen", arguments: LiveSizeTests.heights)
  func walk(height: Int) {
    var model = HistoryFixture.model(
      20, height, keys: [KeyPress("'"), KeyPress("a"), KeyPress("+"), KeyPress("+")])
    for width in LiveSizeTests.widths(at: height) {
      let effects = update(&model, .input(.resize(Size(width: width, height: height))))
      // Answers take their time: in between the answer before must do.
      if width % 8 >= 6 { HistoryFixture.answer(effects, &model) }
      LiveSizeTests().check(model, "\(width)x\(height)")
    }
  }

  @Test(
    "the same with every pane in front, alone, and with a range",
    arguments: [(20, 5), (30, 12), (41, 13), (61, 17), (83, 25), (104, 31), (121, 37), (200, 50)])
  func states(width: Int, height: Int) {
    var model = HistoryFixture.model(width, height)
    for key in [
      KeyPress(.tab), KeyPress("z"), KeyPress(.tab), KeyPress(.down), KeyPress("z"), KeyPress(.left, .shift),
      KeyPress(.tab), KeyPress("J"), KeyPress("s"), KeyPress(.pageDown), KeyPress("G"), KeyPress(.tab),
      KeyPress("/"),
      KeyPress("x"), KeyPress(.escape), KeyPress(.enter), KeyPress("t"), KeyPress(.escape), KeyPress("?"),
    ] {
      HistoryFixture.press(key, &model)
      model.session.toast = nil
      if case .help = model.session.overlay { continue }
      if model.session.overlay == .rawLine { continue }
      LiveSizeTests().check(
        model, "\(width)x\(height) after \(key.text)", wantsSelection: !model.history.isMaximised)
    }
  }

  @Test("no size traps, however small, and nothing raw is drawn")
  func smallest() {
    var model = HistoryFixture.model(20, 5)
    for width in 0...24 {
      for height in 0...8 {
        HistoryFixture.answer(update(&model, .input(.resize(Size(width: width, height: height)))), &model)
        let frame = view(model)
        #expect(frame.buffer.size == Size(width: width, height: height))
        #expect(!frame.buffer.lines.joined().unicodeScalars.contains { $0.value < 32 || $0 == "\u{202E}" })
      }
    }
  }

  @Test("what goes, in its order, as room gets short")
  func collapse() {
    func layout(_ width: Int, _ height: Int, _ pane: HistoryPane = .table) -> HistoryLayout {
      HistoryLayout(size: Size(width: width, height: height), pane: pane)
    }
    #expect(layout(120, 36)[.detail].height == 5 && layout(120, 36)[.tree].width == 33)
    #expect(layout(100, 30)[.detail].height == 3 && !layout(100, 30)[.tree].isEmpty)
    #expect(
      layout(80, 24)[.tree].isEmpty && layout(80, 24)[.summary].height == 1
        && layout(80, 24)[.chart].height == 7)
    #expect(layout(80, 24, .tree)[.tree].height == 20 && layout(80, 24, .tree)[.chart].isEmpty)
    #expect(layout(60, 16)[.chart].height == 4 && layout(60, 16)[.detail].height == 2)
    #expect(layout(40, 12)[.chart].isEmpty && layout(40, 12)[.table].height == 7)
    #expect(layout(20, 5)[.table].isEmpty && layout(20, 5).tableRows == 1)
  }
}
