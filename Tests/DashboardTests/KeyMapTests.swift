import Codecs
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("Keys that a person chose")
struct KeyMapTests {
  /// A key that nothing has by itself.
  private static let free = KeyPress(.function(12))

  private static let usual = Self.model(KeyMap())
  private static let tables = ActionCatalog.tables(keys: KeyMap())

  init() { adoptUTF8() }

  private static func model(_ keys: KeyMap) -> Model {
    Model(
      size: Size(width: 120, height: 36), now: LiveFixture.now,
      theme: Theme(capabilities: Capabilities(depth: .trueColor, glyphs: .braille)), zone: .utc,
      feed: LiveFixture.shared, limits: LimitSet(LiveFixture.limits), keys: keys)
  }

  private func text(_ model: Model) -> String { view(model).buffer.lines.joined(separator: "\n") }

  @Test("every action has one name, which no other action of its screen has")
  func names() {
    for (title, table) in ActionCatalog.tables(keys: KeyMap()) {
      let names = table.actions.map(\.description.name)
      #expect(Set(names).count == names.count, "\(title): \(names.sorted())")
      #expect(names.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") } })
    }
  }

  @Test("every action does by its new key what it did by its usual one", arguments: ActionCatalog.names)
  func everyAction(name: String) throws {
    let keys = KeyMap([name: [Self.free]])
    #expect(keys.conflicts.isEmpty)
    let mapped = Self.model(keys)
    for (tab, (title, usual)) in Self.tables.enumerated() {
      guard let action = usual.actions.first(where: { $0.description.name == name }) else { continue }
      var (one, two) = (Self.usual, mapped)
      _ = one.show(tab: tab)
      _ = two.show(tab: tab)
      let found = try #require(two.table.action(for: Self.free), "\(title)")
      #expect(found.description.name == name)
      for key in action.description.keys { #expect(two.table.action(for: key)?.description.name != name) }
      guard let key = action.description.keys.first, key != .control("c") else { continue }
      let (first, second) = (update(&one, .input(.key(key))), update(&two, .input(.key(Self.free))))
      #expect(first == second, "\(title): \(name)")
      #expect(one.session.overlay == two.session.overlay && one.screen == two.screen, "\(title): \(name)")
      #expect(one.session.window == two.session.window && one.session.playhead == two.session.playhead)
      #expect(one.session.theme == two.session.theme && one.session.isMouseOn == two.session.isMouseOn)
    }
  }

  @Test("footer, borders, header and help show the key that was chosen")
  func shown() {
    let usual = Self.model(KeyMap())
    let mapped = Self.model(
      KeyMap([
        "sort-by-the-next-column": [KeyPress("x")], "filter": [KeyPress(.function(7))],
        "all-keys": [KeyPress(.function(12))], "next-alert": [.control("n")], "zoom-in": [KeyPress("*")],
      ]))
    #expect(
      text(usual).contains("s sort") && text(usual).contains("/ filter") && text(usual).contains("? help"))
    let footer = view(mapped).buffer.lines.last ?? ""
    for part in ["x sort", "F7 filter", "Ctrl-N", "F12 keys"] {
      #expect(footer.contains(part), "\(footer)")
    }
    let whole = text(mapped)
    for part in ["F7 filter", "F12 help", "* - zoom"] {
      #expect(whole.contains(part), "\(part)")
    }
    for (model, opening, key) in [(usual, KeyPress("?"), "+"), (mapped, KeyPress(.function(12)), "*")] {
      var model = model
      for press in [opening] + "zoom in".map({ KeyPress($0) }) { _ = update(&model, .input(.key(press))) }
      let row = view(model).buffer.lines.first { $0.contains("Zoom in: a shorter window") } ?? ""
      #expect(row.contains("›\(key) "), "\(row)")
    }
  }

  @Test("a hint of the footer can be pressed by the mouse, whatever its key")
  func pressed() {
    var mapped = Self.model(KeyMap(["filter": [KeyPress(.function(7))]]))
    let lines = view(mapped).buffer.lines
    let column = (lines.last ?? "").distance(of: "F7 filter")
    let press = MouseEvent(.press, button: .left, at: Position(x: column, y: lines.count - 1))
    _ = update(&mapped, .input(.mouse(press)))
    #expect(mapped.session.overlay?.isInFooter == true)
  }

  @Test("a key that is chosen is lost to whoever had it; an action without keys is still in the list")
  func taken() {
    let keys = KeyMap(["next-theme": [KeyPress("y")], "suspend": []])
    let table = ActionCatalog.tables(keys: keys)[0].table
    #expect(table.action(for: KeyPress("y"))?.description.name == "next-theme")
    #expect(table.action(for: .control("t")) == nil && table.action(for: .control("z")) == nil)
    let names = table.actions.filter(\.description.keys.isEmpty).map(\.description.name)
    #expect(names.sorted() == ["copy-the-row", "suspend"])
    #expect(keys.conflicts.isEmpty)
  }

  @Test("of two actions that want one key the first by name gets it, and the other is named")
  func conflict() {
    let keys = KeyMap(["zoom-in": [KeyPress("x")], "zoom-out": [KeyPress("x"), KeyPress("X")]])
    #expect(
      keys.conflicts.map(\.text) == ["wants x, which zoom-in has on the Live screen"]
        && keys.conflicts.map(\.loser) == ["zoom-out"])
    let table = ActionCatalog.tables(keys: keys)[0].table
    #expect(table.action(for: KeyPress("x"))?.description.name == "zoom-in")
    #expect(table.action(for: KeyPress("X"))?.description.name == "zoom-out")
  }

  @Test(
    "hints with several keys change key by key",
    arguments: [
      ("+ -", "* -"), ("e/E", "Ctrl-N/E"), ("e next", "Ctrl-N next"), ("b one  + two", "b one  * two"),
      ("nothing of it", "nothing of it"),
    ])
  func labels(usual: String, shown: String) {
    let keys = KeyMap(["zoom-in": [KeyPress("*")], "next-alert": [.control("n")]])
    #expect(ActionCatalog.tables(keys: keys)[0].table.labels.hint(usual) == shown)
  }
}

extension String {
  /// Columns before a text; 0 where it is not there.
  fileprivate func distance(of text: String) -> Int {
    firstRange(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? 0
  }
}
