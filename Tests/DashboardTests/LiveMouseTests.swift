import Aggregation
import Platform
import TerminalUI
import Testing

@testable import Dashboard

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
    let title = try #require(place(of: "p95    n"))
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
    let last = model.session.size.height - 1
    let line = view(model).buffer.lines[last]
    let start = line[..<(try #require(line.firstRange(of: "+ - zoom"))).lowerBound].count
    _ = send(.press, at: Position(x: start, y: last))
    #expect(model.session.window == 60)
    _ = send(.press, at: Position(x: start + 2, y: last))
    _ = send(.press, at: Position(x: start + 2, y: last))
    #expect(model.session.window == 300)
  }

  @Test("the wheel over the chart zooms and leaves the selection; over the list it moves that")
  mutating func wheel() {
    let selection = model.live.selection
    let chart = model.liveModel.layout.chart
    _ = send(.wheelUp, at: Position(x: chart.x + 10, y: chart.y + 4))
    #expect(model.session.window == 60 && model.live.selection == selection)
    _ = send(.wheelDown, at: Position(x: chart.x + 10, y: chart.y + 4))
    #expect(model.session.window == 120)
    let rows = model.liveModel.layout.rows
    _ = send(.wheelDown, at: Position(x: rows.x + 2, y: rows.y + 2))
    #expect(model.live.selection != selection)
  }
}
