import Aggregation
import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen

@Suite("Moments on the History screen")
struct HistoryMomentTests {
  init() { adoptUTF8() }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }

  /// The fixture as it is seen so many days later.
  private func later(_ days: Double, _ width: Int = 120, _ height: Int = 36) -> Model {
    var model = HistoryFixture.model(width, height)
    _ = update(&model, .clock(HistoryFixture.now + days * 86_400))
    return model
  }

  @Test("of another day are told to the second, in a short window to the millisecond")
  func exact() {
    var model = later(400)
    model.session.freeze(at: HistoryFixture.now - 3000)
    HistoryFixture.press(KeyPress("1"), &model)
    #expect(lines(model)[0].contains("2026-11-21 13:42:07 +0 new"))
    HistoryFixture.press(KeyPress("2"), &model)
    #expect(lines(model)[0].contains("2026-11-21 13:42:07 +0 new"))
    #expect(lines(model).dropFirst().contains { $0.contains("2026-11-21 13:42:07") })
    HistoryFixture.answer(
      model.arrange("history", Arrangement(moment: HistoryFixture.now - 3000, length: 8)), &model)
    #expect(lines(model)[0].contains("2026-11-21 13:42:07.200"))
  }

  @Test("lose their date before their time where room is short")
  func short() {
    var model = later(400, 40, 12)
    model.session.freeze(at: HistoryFixture.now - 3000)
    HistoryFixture.press(KeyPress("2"), &model)
    #expect(lines(model)[0].contains("13:42:07 +0"))
  }

  @Test("have their year in the table of a window of years")
  func years() throws {
    var model = HistoryFixture.model(120, 36)
    #expect(!lines(model).contains { $0.contains("2026-11-21 1") })
    let query = try #require(model.session.history.asked)
    model.history.window = HistoryFixture.now - 3e7..<HistoryFixture.now + 1
    var news = HistoryNews()
    news.answer = FixtureScan(query: query).answer
    news.answer?.range = HistoryFixture.now - 3e7...HistoryFixture.now
    _ = update(&model, .history(news))
    #expect(lines(model).contains { $0.contains("2026-11-21 14:") })
  }

  @Test("at the rail's right end: where the samples end, whether frozen or not")
  func railEnd() {
    var model = later(345)
    #expect(model.session.railEnd == "end 2026-11-21 14:32")
    model.session.freeze(at: HistoryFixture.now - 60)
    HistoryFixture.press(KeyPress(.left), &model)
    #expect(model.session.isFrozen && model.session.railEnd == "end 2026-11-21 14:32")
    model = HistoryFixture.model(120, 36)
    HistoryFixture.press(KeyPress(.left), &model)
    #expect(model.session.isFrozen && model.session.railEnd == "now 14:32")
  }

  @Test("stand in the middle of the window that was asked for, which only + and - make a power of two")
  func window() throws {
    var model = HistoryFixture.model(120, 36)
    let moment = HistoryFixture.now - 3000
    HistoryFixture.answer(model.arrange("history", Arrangement(moment: moment, length: 600)), &model)
    #expect(model.history.window == moment - 300..<moment + 300)
    HistoryFixture.press(KeyPress(.right), &model)
    #expect(model.history.window == moment - 300..<moment + 300)
    HistoryFixture.press(KeyPress("+"), &model)
    #expect(model.history.span == 512)
    model.historyScreen.apply(
      HistoryNotes.SavedView(
        name: "ten minutes", focus: HistoryFixture.push, narrowed: nil, window: moment - 300..<moment + 300,
        order: .time, filter: ""))
    HistoryFixture.answer(update(&model, []), &model)
    #expect(model.history.window == moment - 300..<moment + 300)
  }
}
