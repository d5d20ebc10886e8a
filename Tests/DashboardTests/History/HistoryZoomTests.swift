import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen

@Suite("Zooming to a selected range")
struct HistoryZoomTests {
  init() { adoptUTF8() }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }

  /// At the spike with a range selected by Shift and arrows.
  private func selected(_ width: Int = 120, _ height: Int = 36) -> Model {
    var model = HistoryFixture.model(width, height, keys: Array(HistoryPictureTests.atSpike.dropLast(3)))
    model.history.pane = .chart
    for _ in 0..<6 { HistoryFixture.press(KeyPress(.right, .shift), &model) }
    model.session.toast = nil
    return model
  }

  @Test("Enter shows the range alone, q what was seen before", arguments: HistoryPictureTests.sizes)
  func zoom(width: Int, height: Int) throws {
    var model = selected(width, height)
    let (window, span) = (model.history.window, model.history.span)
    let range = try #require(model.history.selection)
    #expect(width < 80 || lines(model).contains { $0.contains("Enter zoom") })
    HistoryFixture.press(KeyPress(.enter), &model)
    #expect(model.history.window == range.begin..<range.end)
    #expect(model.history.selection == nil && model.history.window.contains(model.session.edge))
    #expect(model.session.toast?.text.contains("q goes back") == true)
    model.session.toast = nil
    // The command that Y copies draws that window, not one around the playhead.
    let words = model.front.command
    let place = try #require(words.firstIndex(of: "--from"))
    var arrangement = Arrangement(
      moment: model.session.edge, length: model.history.window.upperBound - model.history.window.lowerBound)
    arrangement.start = Timestamp(try #require(Double(words[place + 1])))
    var drawn = HistoryFixture.model(width, height)
    _ = drawn.arrange("history", arrangement)
    #expect(drawn.history.window == model.history.window)
    try expectGolden(lines(model).map { $0 + "\n" }.joined(), "history-\(width)x\(height)-zoomed")
    HistoryFixture.press(KeyPress("q"), &model)
    #expect(model.history.window == window && model.history.span == span)
    // First out of the past, then to the first screen.
    HistoryFixture.press(KeyPress("q"), &model)
    #expect(!model.session.isFrozen && model.session.tabs.selection == 1)
    HistoryFixture.press(KeyPress("q"), &model)
    #expect(model.session.tabs.selection == 0)
  }

  @Test("a window that begins at a time is that window, with the playhead in it")
  func startsAtTime() {
    var model = HistoryFixture.model(120, 36)
    let edge = model.session.edge
    var arrangement = Arrangement(length: 20)
    let early = edge - 60
    for (start, moment) in [(early, (early + 20).nextDown), (edge - 10, edge), (edge + 30, edge + 30)] {
      arrangement.start = start
      _ = model.arrange("history", arrangement)
      #expect(model.history.window == start..<start + 20)
      #expect(model.session.edge == moment && model.session.isFrozen)
      model.session.goLive()
    }
  }

  @Test("a range inside of a range goes back by one each; v selects for it as well; Esc goes back, too")
  func nested() {
    var model = selected()
    let first = model.history.window
    HistoryFixture.press(KeyPress(.enter), &model)
    let second = model.history.window
    HistoryFixture.press(KeyPress("v"), &model)
    for _ in 0..<4 { HistoryFixture.press(KeyPress(.left), &model) }
    HistoryFixture.press(KeyPress(.enter), &model)
    #expect(model.history.window.lowerBound > second.lowerBound)
    #expect(model.history.window.upperBound <= second.upperBound)
    model.session.toast = nil
    HistoryFixture.press(KeyPress(.escape), &model)
    #expect(model.history.window == second)
    HistoryFixture.press(KeyPress(.backspace), &model)
    #expect(model.history.window == first)
  }

  @Test("without a range Enter goes from the chart to the samples")
  func without() {
    var model = HistoryFixture.model(120, 36, keys: HistoryPictureTests.atSpike + [KeyPress(.backTab)])
    #expect(model.history.pane == .chart)
    HistoryFixture.press(KeyPress(.enter), &model)
    #expect(model.history.pane == .table)
  }

  @Test("a range dragged from right to left, and one of no length")
  func drag() {
    var model = HistoryFixture.model(120, 36, keys: Array(HistoryPictureTests.atSpike))
    for event in [
      InputEvent.mouse(MouseEvent(.press, button: .left, at: Position(x: 100, y: 5))),
      .mouse(MouseEvent(.drag, button: .left, at: Position(x: 60, y: 5))),
    ] {
      HistoryFixture.answer(update(&model, .input(event)), &model)
    }
    let range = model.history.selection
    HistoryFixture.press(KeyPress(.enter), &model)
    #expect(model.history.window.lowerBound == range?.end)
    #expect(model.history.window.upperBound == range?.begin)
    let window = model.history.window
    HistoryFixture.press(KeyPress("v"), &model)
    HistoryFixture.press(KeyPress(.enter), &model)
    #expect(model.history.window == window)
  }
}
