import Aggregation
import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Marks, views, ranges and exports")
struct HistoryNoteKeyTests {
  var model = HistoryFixture.model(120, 36, notes: HistoryNotes())

  init() { adoptUTF8() }

  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [Effect] {
    keys.reduce(into: []) { $0 += HistoryFixture.press($1, &model) }
  }

  @discardableResult
  mutating func type(_ text: String) -> [Effect] {
    text.reduce(into: []) { $0 += HistoryFixture.press(KeyPress(.character($1)), &model) }
  }

  func lines() -> String { view(model).buffer.lines.joined(separator: "\n") }

  @Test("t goes to a time; what is none stays to be mended")
  mutating func goTo() {
    press(KeyPress("t"))
    type("13:42:0x")
    press(KeyPress(.enter))
    #expect(model.session.toast?.text.contains("Not a time") == true && model.session.overlay != nil)
    press(KeyPress(.backspace))
    type("7.2")
    press(KeyPress(.enter))
    #expect(model.session.playhead == .frozen(HistoryFixture.now - 3000))
    press(KeyPress("t"))
    type("-10s")
    press(KeyPress(.enter))
    #expect(model.session.playhead == .frozen(HistoryFixture.now - 3010))
    press(KeyPress("t"))
    type("2001-01-02")
    press(KeyPress(.enter))
    #expect(model.session.toast?.text.contains("The history begins at") == true)
    press(KeyPress("t"))
    type("now")
    press(KeyPress(.enter))
    #expect(model.session.playhead == .live)
  }

  @Test("m and a letter mark the moment, ' and the letter go back to it, and both are kept")
  mutating func marks() {
    press(KeyPress("'"))
    #expect(model.session.toast?.text.contains("there are no marks") == true)
    press(KeyPress(.left), KeyPress(.left), KeyPress("m"))
    let moment = model.session.edge
    #expect(lines().contains("mark this moment:"))
    #expect(
      press(KeyPress("k")).contains {
        if case .keep(let notes) = $0 { notes.marks["k"]?.time == moment } else { false }
      })
    press(KeyPress("G"), KeyPress("'"), KeyPress("k"))
    #expect(model.session.playhead == .frozen(moment))
    #expect(lines().contains("▲k") && lines().contains("Marks"))
    press(KeyPress("m"), KeyPress("7"))
    #expect(model.session.notes.marks.count == 1 && model.session.toast?.text.contains("a to z") == true)
    press(KeyPress("'"), KeyPress(.escape))
    #expect(model.session.overlay == nil)
  }

  @Test("[ and ] go through marks and alerts; Alt with an arrow does, too")
  mutating func markers() {
    model.session.notes = HistoryFixture.notes
    press(KeyPress("["))
    #expect(model.session.playhead == .frozen(HistoryFixture.now - 1800))
    press(KeyPress(.left, .alt))
    #expect(model.session.playhead == .frozen(HistoryFixture.now - 3000))
    press(KeyPress("["))
    #expect(model.session.toast?.text == "No earlier mark or alert")
    press(KeyPress("]"))
    #expect(model.session.playhead == .frozen(HistoryFixture.now - 1800))
  }

  @Test("* keeps a view under a name; Enter in its list brings it back")
  mutating func views() {
    press(KeyPress(.tab), KeyPress("+"), KeyPress("+"), KeyPress("s"), KeyPress("*"))
    type("slow")
    #expect(press(KeyPress(.enter)).contains { if case .keep = $0 { true } else { false } })
    let (window, name) = (model.history.window, "slow")
    #expect(model.session.notes.views.map(\.name) == [name])
    press(KeyPress("="), KeyPress("s"), KeyPress("s"))
    #expect(model.historyScreen.order == .time)
    press(KeyPress(.backTab))
    model.history.row = .view(name)
    press(KeyPress(.enter))
    #expect(model.historyScreen.order == .value(descending: true) && model.history.window == window)
  }

  @Test("Shift with an arrow selects a range in the chart, v does with plain ones; Esc lets go")
  mutating func ranges() {
    press(KeyPress(.tab), KeyPress(.left), KeyPress("v"))
    for _ in 0..<5 { press(KeyPress(.left)) }
    let step = model.historyScreen.step
    let range = model.historyScreen.selectedRange
    #expect(range.map { $0.upperBound - $0.lowerBound } == 5 * step)
    #expect(model.session.history.answer?.query.selection == range && lines().contains(" n "))
    press(KeyPress("v"), KeyPress(.left))
    #expect(model.historyScreen.selectedRange == range)
    guard case .copy(let text) = press(KeyPress("y")).first else {
      return #expect(Bool(false), "nothing copied")
    }
    #expect(
      text.hasPrefix("sync.push.total_ms\t2026-11-21 ") && text.contains("\tp95 ") && text.contains(" ms\t"))
    // The message of the copy goes with the range, in one press.
    #expect(model.session.toast != nil)
    press(KeyPress(.escape))
    #expect(model.historyScreen.selectedRange == nil && model.session.toast == nil && model.session.isFrozen)
    press(KeyPress(.right, .shift), KeyPress(.right, .shift))
    #expect(model.historyScreen.selectedRange.map { $0.upperBound - $0.lowerBound } == 2 * step)
  }

  @Test("a drag in the chart selects, a click moves the playhead, a click on a row takes it")
  mutating func mouse() {
    func mouse(_ action: MouseEvent.Action, _ x: Int, _ y: Int) -> Message {
      .input(.mouse(MouseEvent(action, button: .left, at: Position(x: x, y: y))))
    }
    for message in [mouse(.press, 70, 8), mouse(.drag, 80, 8), mouse(.release, 80, 8)] {
      HistoryFixture.answer(update(&model, message), &model)
    }
    #expect(
      model.history.pane == .chart && model.historyScreen.selectedRange != nil && model.session.isFrozen)
    HistoryFixture.answer(update(&model, mouse(.press, 60, 20)), &model)
    #expect(model.history.pane == .table)
    let row = model.historyScreen.selectedRow
    HistoryFixture.answer(update(&model, mouse(.press, 60, 22)), &model)
    #expect(model.historyScreen.selectedRow != row)
    HistoryFixture.answer(update(&model, mouse(.press, 5, 2)), &model)
    #expect(model.history.pane == .tree && model.history.row != nil)
    HistoryFixture.answer(update(&model, mouse(.press, 30, 34)), &model)
    #expect(model.session.isFrozen)
  }

  @Test("Ctrl-S asks for a file; its ending tells the form")
  mutating func exports() {
    press(.control("s"))
    #expect(lines().contains("write to sync.push.csv"))
    for _ in 0..<3 { press(KeyPress(.backspace)) }
    type("pdf")
    press(KeyPress(.enter))
    #expect(model.session.toast?.text.contains("must end in") == true)
    for _ in 0..<3 { press(KeyPress(.backspace)) }
    type("jsonl")
    let effects = press(KeyPress(.enter))
    #expect(
      effects == [
        .export(
          HistoryExport(
            window: model.history.window, series: ["sync.push"], format: .jsonl, path: "sync.push.jsonl"))
      ])
    #expect(model.session.overlay == nil)
  }

  @Test("Esc gives up what is under way; what the historian says is shown")
  mutating func work() {
    var news = HistoryNews()
    news.work = HistoryWork(kind: .exporting, progress: FeedProgress(done: 10, total: 100, perSecond: 5))
    news.sentence = "Writing to /tmp/x.csv"
    _ = update(&model, .history(news))
    #expect(lines().contains("Writing") && lines().contains("10 %"))
    press(KeyPress(.escape))
    #expect(press(KeyPress(.escape)) == [.cancelWork])
  }

  @Test("e goes to the next alert and to its moment")
  mutating func alerts() {
    model.session.limits = LimitSet(["sync.push.total_ms": 100])
    _ = update(&model, .clock(HistoryFixture.now + 2))
    press(KeyPress("e"))
    #expect(model.session.isFrozen && model.history.focus == HistoryFixture.push)
  }
}
