import Aggregation
import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Keys of the History screen")
struct HistoryKeyTests {
  var model = HistoryFixture.model(120, 36)

  init() { adoptUTF8() }

  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [Effect] {
    keys.reduce(into: []) { $0 += HistoryFixture.press($1, &model) }
  }

  mutating func type(_ text: String) {
    for character in text { press(KeyPress(.character(character))) }
  }

  mutating func go(to mark: Character = "a") { press(KeyPress("'"), KeyPress(mark)) }

  func lines() -> String { view(model).buffer.lines.joined(separator: "\n") }
  var window: Range<Timestamp> { model.history.window }
  var length: Double { window.upperBound - window.lowerBound }

  // MARK: Screens and the playhead

  @Test("1 and 2 switch the screens, and so does a click on a tab")
  mutating func screens() {
    #expect(model.screen == "history" && model.shownTab == " 2 Hist ")
    press(KeyPress("1"))
    #expect(model.screen == "live" && model.shownTab == " 1 Live ")
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: Position(x: 13, y: 0)))))
    #expect(model.screen == "history")
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: Position(x: 4, y: 0)))))
    #expect(model.screen == "live")
  }

  @Test("every screen shows the moment of the one playhead; G returns all of them to live")
  mutating func playhead() {
    // Wide enough for the words of the header beside the tabs of more screens.
    _ = update(&model, .input(.resize(Size(width: 160, height: 36))))
    go()
    let moment = HistoryFixture.now - 3000
    #expect(model.session.playhead == .frozen(moment) && window.contains(moment))
    press(KeyPress("1"))
    #expect(model.session.edge == moment && lines().contains("‖ 13:42:07"))
    #expect(lines().contains("50m ago") && lines().contains("F=live"))
    press(KeyPress("F"))
    #expect(model.session.playhead == .live && lines().contains("● LIVE"))
  }

  @Test("before the live samples the Live screen shows those that the history has")
  mutating func travels() {
    #expect(model.session.store.recorded == HistoryFixture.shared.store.recorded)
    press(KeyPress("1"))
    go()
    #expect(model.session.store.recorded != HistoryFixture.shared.store.recorded)
    #expect(lines().contains("push") && lines().contains("fail"))
    press(KeyPress("G"))
    #expect(model.session.store.recorded == HistoryFixture.shared.store.recorded)
  }

  @Test("new lines go on loading behind the playhead and are counted")
  mutating func counts() {
    go()
    var feed = HistoryFixture.shared
    let id = feed.store.allSeries[0]
    for step in 0..<312 {
      feed.store.record(id, time: HistoryFixture.now + Double(step) / 100, value: .number(1))
    }
    _ = update(&model, .feed(feed))
    #expect(lines().contains("‖ 13:42:07 +312 new"))
  }

  @Test("← and → step through the chart, Shift makes ten of it")
  mutating func steps() {
    go()
    let edge = model.session.edge
    let step = model.historyScreen.step
    press(KeyPress(.left), KeyPress(.left), KeyPress(.right))
    #expect(model.session.edge == edge - step)
    press(KeyPress(.right, .shift))
    #expect(model.session.edge == edge + 9 * step)
  }

  @Test("the window goes along when the playhead leaves it")
  mutating func pans() {
    go()
    for _ in 0..<6 { press(KeyPress("+")) }
    let before = window
    for _ in 0..<30 { press(KeyPress(.left, .shift)) }
    #expect(window != before && window.contains(model.session.edge))
    #expect(length == before.upperBound - before.lowerBound)
  }

  // MARK: The window

  @Test("+ halves the window around the playhead, - doubles it, = shows the whole history")
  mutating func zoom() {
    #expect(model.history.span == nil && length >= HistoryFixture.length)
    go()
    var last = length
    for _ in 0..<40 where model.historyScreen.canZoom(-1) {
      press(KeyPress("+"))
      #expect(length < last && length == length.binade && window.contains(model.session.edge))
      last = length
    }
    #expect(length < 0.01)
    press(KeyPress("+"))
    #expect(model.session.toast?.text.contains("shortest") == true)
    for _ in 0..<40 { press(KeyPress("-")) }
    #expect(model.history.span == nil && model.session.toast?.text.contains("longest") == true)
    press(KeyPress("+"), KeyPress("="))
    #expect(model.history.span == nil)
  }

  @Test("a question is asked when something changed, and only then")
  mutating func asks() {
    go()
    #expect(press(KeyPress("2")).isEmpty)
    let effects = update(&model, .input(.key(KeyPress("+"))))
    guard case .ask(let query) = effects.first else { return #expect(Bool(false), "nothing asked") }
    #expect(query.window == window && query.focus == HistoryFixture.push && query.wantsDetail)
    #expect(update(&model, .clock(HistoryFixture.now)).isEmpty)
    var news = HistoryNews()
    news.version = 1
    #expect(update(&model, .history(news)).isEmpty)
    #expect(update(&model, .clock(HistoryFixture.now + 1)) == [.ask(query)])
  }

  // MARK: The table

  @Test("the rows of the table move the playhead, and the other way round")
  mutating func rows() {
    press(KeyPress(.tab), KeyPress(.tab))
    #expect(model.history.pane == .table)
    go()
    let row = model.historyScreen.selectedRow
    #expect(row.map { $0.time <= model.session.edge } == true)
    press(KeyPress(.down))
    #expect(model.historyScreen.selectedRow.map(\.time) == row.map { $0.time + 2 })
    #expect(model.session.playhead == model.historyScreen.selectedRow.map { .frozen($0.time) })
    press(KeyPress("g"))
    #expect(model.historyScreen.selectedRow?.time == HistoryFixture.now - HistoryFixture.length)
    for _ in 0..<3 { press(KeyPress(.pageDown)) }
    #expect(
      model.historyScreen.selectedSample.map { $0 + (model.session.history.answer?.page.first ?? 0) } ?? 0
        >= 20)
    press(KeyPress("G"))
    #expect(model.session.playhead == .live)
  }

  @Test("scrolling a table alone asks now and then, not at every row")
  mutating func margin() {
    press(KeyPress(.tab), KeyPress(.tab), KeyPress("z"))
    go()
    var asked = 0
    for _ in 0..<200 {
      asked += press(KeyPress(.down)).count { if case .ask = $0 { true } else { false } }
      #expect(model.historyScreen.selectedRow != nil)
    }
    #expect(asked > 0 && asked < 20)
    #expect(model.session.edge == HistoryFixture.now - 3000 + 400)
  }

  @Test("s sorts by time, largest and smallest value; I turns that round")
  mutating func sorts() {
    press(KeyPress(.tab), KeyPress(.tab), KeyPress("s"))
    #expect(model.historyScreen.order == .value(descending: true))
    guard case .number(let largest) = model.historyScreen.selectedRow?.value else {
      return #expect(Bool(false), "no row")
    }
    #expect(largest == model.session.history.answer?.summary.maximum)
    press(KeyPress("I"))
    #expect(
      model.historyScreen.selectedRow?.value
        == model.session.history.answer?.summary.minimum.map(SeriesValue.number))
    press(KeyPress("s"))
    #expect(model.historyScreen.order == .time)
    press(KeyPress("I"))
    #expect(model.session.toast?.text.contains("oldest") == true)
  }

  // MARK: Opening

  @Test("from the tree to one raw line by keys, and back")
  mutating func walk() {
    press(KeyPress("g"))
    #expect(model.history.row == .node(.bucket("evil")))
    press(KeyPress("/"))
    type("rtt")
    press(KeyPress(.enter), KeyPress(.enter))
    #expect(model.history.focus?.fullName == "net.rtt_ms" && model.history.pane == .chart)
    press(KeyPress(.enter))
    #expect(model.history.pane == .table)
    press(KeyPress(.enter))
    #expect(model.session.overlay == .rawLine && lines().contains("AS WRITTEN"))
    #expect(!lines().unicodeScalars.contains("\u{1B}"))
    let detail = model.historyScreen.detail
    #expect(press(KeyPress("o")) == [.edit(path: "/logs/app.jsonl", line: detail?.row.line ?? 0)])
    let copied = SafeText.harmless(detail?.rawLine ?? "")
    #expect(press(KeyPress("y")) == [.copy(copied)] && !copied.unicodeScalars.contains("\u{1B}"))
    press(KeyPress("q"))
    #expect(model.session.overlay == nil && model.screen == "history")
    press(KeyPress(.backspace))
    #expect(model.screen == "history" && model.history.filter.isEmpty)
    press(KeyPress(.backspace))
    #expect(model.screen == "live")
    #expect(press(KeyPress("q")) == [.quit])
  }

  @Test("Enter folds buckets and structs, shows a series, and one of its values")
  mutating func tree() {
    press(KeyPress("g"), KeyPress(.enter))
    #expect(model.history.toggled == [.node(.bucket("evil"))])
    model.history.row = .node(.series(HistoryFixture.outcome))
    press(KeyPress(.enter))
    #expect(model.history.focus == HistoryFixture.outcome && lines().contains("share of each value"))
    press(KeyPress(.backTab), KeyPress(.enter))
    #expect(lines().contains("outcome=fail"))
    model.history.row = .value(HistoryFixture.outcome, "fail")
    press(KeyPress(.enter))
    #expect(model.history.narrowed == "fail" && lines().contains("push.outcome = fail"))
  }

  @Test("the first metric that a filter lets through is the selected row")
  mutating func firstMatch() {
    press(KeyPress("g"), KeyPress("/"))
    type("rtt")
    press(KeyPress(.enter))
    #expect(
      model.history.row.flatMap { row in model.history.rows.first { $0.id == row } }?.label
        == "rtt_ms")
  }

  @Test("in the order of values the playhead follows the row; going to a moment is by time again")
  mutating func byValue() {
    model.history.pane = .table
    press(KeyPress("s"), KeyPress(.down))
    #expect(model.historyScreen.order == .value(descending: true))
    #expect(model.historyScreen.selectedRow?.time == model.session.edge && model.session.isFrozen)
    press(KeyPress("t"))
    type("13:42:07")
    press(KeyPress(.enter))
    #expect(model.historyScreen.order == .time && lines().contains("sort time"))
    #expect(
      model.historyScreen.selectedRow.map { abs($0.time - model.session.edge) < 3 } == true
        && model.historyScreen.detail != nil)
    press(KeyPress("s"), KeyPress("G"))
    #expect(model.historyScreen.order == .time && model.session.playhead == .live)
    press(KeyPress("I"))
    #expect(lines().contains("Sorted by time, the oldest always comes first"))
  }

  @Test("J shows the raw line in the place of what is known about it")
  mutating func raw() {
    go()
    #expect(lines().contains(" of the hour around it (") && lines().contains("one of "))
    press(KeyPress("J"))
    #expect(lines().contains("{\"metric\":") && !lines().contains("of the hour"))
  }

  @Test("a screen, a moment, a metric and a length can be asked for without keys")
  mutating func stands() {
    model = HistoryFixture.model(120, 36)
    let moment = HistoryFixture.now - 3000
    HistoryFixture.answer(
      model.arrange("history", Arrangement(moment: moment, metric: "net.reachable", length: 1000)), &model)
    #expect(model.history.focus?.fullName == "net.reachable" && window == moment - 500..<moment + 500)
    #expect(model.session.playhead == .frozen(moment))
    HistoryFixture.answer(model.arrange("history", Arrangement(metric: "no.such")), &model)
    #expect(model.session.toast?.text == "No metric is called no.such" && model.unknownMetric == "no.such")
  }

  @Test("a file that grows all the time is asked about once a second")
  mutating func grows() {
    go()
    var asked = 0
    for step in 1...100 {
      var news = HistoryNews()
      news.version = step
      let effects = update(
        &model, [.clock(HistoryFixture.now + Double(step) / 30), .history(news)])
      asked += effects.count
      HistoryFixture.answer(effects, &model)
    }
    #expect((3...4).contains(asked))
    #expect(model.nextChange.map { $0 <= HistoryFixture.now + 5 } == true)
  }

  @Test("o finds the line first where no pane shows it")
  mutating func editorOfTable() {
    press(KeyPress(.tab), KeyPress(.tab), KeyPress("z"))
    go()
    #expect(!press(KeyPress("o")).contains { if case .edit = $0 { true } else { false } })
    #expect(press(KeyPress("o")).contains { if case .edit = $0 { true } else { false } })
  }

  @Test("what the Live screen shows of the past is not asked for again when the file grows")
  mutating func standsStill() {
    press(KeyPress("1"))
    go()
    var news = HistoryNews()
    news.version = 7
    #expect(update(&model, [.clock(HistoryFixture.now + 5), .history(news)]).isEmpty)
  }

  @Test("without somebody to ask the screen says so, and nothing is asked")
  mutating func unavailable() {
    model = Model(size: Size(width: 80, height: 24), now: Timestamp(1000), zone: .utc)
    #expect(press(KeyPress("2"), KeyPress("+"), KeyPress(.tab)).isEmpty)
    #expect(lines().contains("This input has no history"))
  }
}
