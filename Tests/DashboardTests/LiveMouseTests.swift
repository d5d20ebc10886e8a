import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("The mouse on titles, hints and charts")
struct LiveMouseTests {
  private var model = LiveFixture.model(120, 36, depth: .none)

  init() { adoptUTF8() }

  private mutating func send(_ action: MouseEvent.Action, at position: Position) -> [Effect] {
    update(&model, .input(.mouse(MouseEvent(action, button: .left, at: position))))
  }

  /// Where a text stands on the screen.
  private func place(of text: String) -> Position? {
    for (y, line) in view(model).buffer.lines.enumerated() {
      if let range = line.firstRange(of: text) {
        return Position(x: line[..<range.lowerBound].count, y: y)
      }
    }
    return nil
  }

  @Test("a press on a column's title sorts by it, another one turns the order round")
  mutating func titles() throws {
    let title = try #require(place(of: "p95 LAST"))
    _ = send(.press, at: title)
    #expect(model.live.sort == .p95 && !model.live.isInverted)
    _ = send(.press, at: title)
    #expect(model.live.sort == .p95 && model.live.isInverted)
    _ = send(.press, at: try #require(place(of: "NAME")))
    #expect(model.live.sort == .name)
    let before = model.live.sort
    _ = send(.press, at: try #require(place(of: "LAST 2m")))
    #expect(model.live.sort == before)
  }

  @Test(
    "a press on a hint of the footer does what its key does",
    arguments: [("Space freeze", "frozen"), ("/ filter", "filter"), ("s sort", "now"), ("? keys", "help")])
  mutating func hints(hint: String, expected: String) throws {
    let last = model.session.size.height - 1
    let line = view(model).buffer.lines[last]
    let range = try #require(line.firstRange(of: hint))
    _ = send(.press, at: Position(x: line[..<range.lowerBound].count, y: last))
    switch expected {
    case "frozen": #expect(model.session.isFrozen)
    case "filter": #expect(model.session.overlay == .typing(.filter, Prompt("")))
    case "now": #expect(model.live.sort == .now)
    default: #expect(model.session.overlay == .help(query: Prompt(), selection: 0))
    }
  }

  @Test("of a hint with two keys the one under the pointer is meant")
  mutating func twoKeys() throws {
    let start = try #require(place(of: "+ - zoom"))
    _ = send(.press, at: start)
    #expect(model.session.window == 60)
    let second = Position(x: start.x + 2, y: start.y)
    _ = send(.press, at: second)
    _ = send(.press, at: second)
    #expect(model.session.window == 300)
  }

  @Test("the wheel over the chart zooms and leaves the selection; over the list it moves that")
  mutating func wheel() {
    let selection = model.live.selection
    let chart = model.liveScreen.layout[.chart]
    _ = send(.wheelUp, at: Position(x: chart.x + 10, y: chart.y + 4))
    #expect(model.session.window == 60 && model.live.selection == selection)
    _ = send(.wheelDown, at: Position(x: chart.x + 10, y: chart.y + 4))
    #expect(model.session.window == 120)
    let rows = model.liveScreen.layout.rows
    _ = send(.wheelDown, at: Position(x: rows.x + 2, y: rows.y + 2))
    #expect(model.live.selection != selection)
  }

  /// Presses and lets go where a text stands.
  private mutating func click(_ text: String) throws -> [Effect] {
    let position = try #require(place(of: text), "\(text)")
    return send(.press, at: position) + send(.release, at: position)
  }

  @Test(
    "a click on the first line does what e does, on F=live what F does, on the counts in the header their keys"
  )
  mutating func header() throws {
    _ = try click("sync.push_ms 2.8×")
    #expect(model.session.isFrozen && model.session.visit?.event.subject == "sync.push_ms")
    _ = try click("F=live")
    #expect(!model.session.isFrozen)
    let alerts = model.session.alerts.count(at: model.session.present)
    _ = try click("! \(alerts)")
    #expect(model.session.isFrozen)
    _ = update(&model, .input(.key(KeyPress("q"))))
    _ = try click("bad 3")
    #expect(model.session.overlay == .rejections(selection: 2))
    _ = try click("Esc back")
    #expect(model.session.overlay == nil)
    _ = try click("? help")
    #expect(model.session.overlay == .help(query: Prompt(), selection: 0))
    _ = try click("Esc close")
    #expect(model.session.overlay == nil)
  }

  @Test("a double click on a row opens what Enter opens; two clicks on two rows select")
  mutating func doubleClick() {
    let rows = model.liveScreen.layout.rows
    let (first, second) = (Position(x: rows.x + 4, y: rows.y + 1), Position(x: rows.x + 4, y: rows.y + 2))
    _ = send(.press, at: first)
    _ = send(.press, at: second)
    #expect(model.session.overlay == nil && model.liveScreen.selectedIndex == 2)
    model.session.now = model.session.now + 2
    _ = send(.press, at: second)
    #expect(model.session.overlay == nil)
    _ = send(.press, at: second)
    guard case .samples(let identity, _) = model.session.overlay else {
      return #expect(Bool(false), "nothing is open")
    }
    #expect(model.live.selection == .series(identity))
  }

  @Test("a click on a change selects it, a double click opens its samples")
  mutating func events() {
    let rows = model.liveScreen.layout.eventRows
    let position = Position(x: rows.x + 4, y: rows.y)
    _ = send(.press, at: position)
    #expect(model.session.alertIndex == 0 && model.live.pane == .events && model.session.overlay == nil)
  }

  @Test("a click in the chart goes to that moment, a drag zooms to the range, and q goes back from each")
  mutating func chart() {
    let plot = model.liveScreen.layout.plotArea
    let (left, right) = (
      Position(x: plot.x + plot.width / 2, y: plot.y + 3),
      Position(x: plot.x + plot.width * 3 / 4, y: plot.y + 3)
    )
    let edge = model.session.edge
    _ = send(.press, at: left)
    #expect(!model.session.isFrozen)
    _ = send(.release, at: left)
    #expect(model.session.isFrozen && (30..<90).contains(edge - model.session.edge))
    _ = update(&model, .input(.key(KeyPress("q"))))
    #expect(!model.session.isFrozen)
    _ = send(.press, at: right)
    _ = send(.drag, at: left)
    #expect(model.live.draggedRange != nil && model.session.window == 120)
    _ = send(.release, at: left)
    #expect(model.live.draggedRange == nil && (20..<45).contains(model.session.window))
    #expect(model.session.isFrozen && (15..<50).contains(edge - model.session.edge))
    _ = update(&model, .input(.key(KeyPress(.escape))))
    #expect(model.session.window == 120 && !model.session.isFrozen)
  }

  @Test("a key in the frame of a pane acts on that pane")
  mutating func frames() throws {
    #expect(model.live.pane == .tree)
    _ = try click("+ - zoom")
    #expect(model.session.window < 120 && model.live.pane == .chart)
    _ = try click("/ filter")
    #expect(model.session.overlay == .typing(.filter, Prompt("")))
  }

  @Test("a press on a hint means the key under the pointer, else the first one", arguments: HintCases.all)
  func hintKeys(hint: String, offset: Int, keys: [KeyPress]) {
    #expect(KeyPress.presses(on: hint, at: offset, signs: Theme().signs) == keys)
  }
}

/// Words of a hint, a column in them, and the keys that a press there stands for.
private enum HintCases {
  static let all: [(String, Int, [KeyPress])] = [
    ("Space", 2, [KeyPress(" ")]), ("+ -", 0, [KeyPress("+")]), ("+ -", 2, [KeyPress("-")]),
    ("+ - zoom", 2, [KeyPress("-")]), ("+ - zoom", 6, [KeyPress("+")]), ("z max", 4, [KeyPress("z")]),
    ("e/E next/prev alert", 0, [KeyPress("e")]), ("e/E next/prev alert", 2, [KeyPress("E")]),
    ("e/E next/prev alert", 9, [KeyPress("e")]), ("←→", 0, [KeyPress(.left)]), ("←→", 1, [KeyPress(.right)]),
    ("U other  Del drop", 3, [KeyPress("U")]), ("U other  Del drop", 10, [KeyPress(.delete)]),
    ("c other sides, - a longer range", 16, [KeyPress("-")]),
    ("f0 all off", 5, [KeyPress("f"), KeyPress("0")]),
    ("u undo  f0 all off", 12, [KeyPress("f"), KeyPress("0")]), ("Enter = its line", 7, [KeyPress(.enter)]),
    ("y: auto (_)", 3, [KeyPress("_")]), ("y: auto (_), linear (L)", 16, [KeyPress("L")]),
    ("numbers = times taken, mean time before", 3, []), ("", 0, []), ("Shift x10", 0, []),
    ("a   b", 4, [KeyPress("b")]), ("…", 0, []),
  ]
}
