import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("The command line")
struct CommandLineTests {
  var model = LiveFixture.model(
    120, 36, depth: .none,
    feed: FeedSnapshot(store: LiveFixture.store(length: 400), status: LiveFixture.shared.status))

  init() { adoptUTF8() }

  @discardableResult
  private mutating func press(_ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  @discardableResult
  private mutating func type(_ text: String) -> [Effect] {
    text.flatMap { update(&model, .input(.key(KeyPress($0)))) }
  }

  private mutating func run(_ line: String) -> [Effect] {
    type(":" + line)
    return press(KeyPress(.enter))
  }

  private var typed: String? {
    if case .typing(_, let prompt) = model.session.overlay { prompt.text } else { nil }
  }

  @Test("shows the screen of a name", arguments: ["live", "history", "histogram", "sync", "delivery"])
  mutating func screens(name: String) {
    _ = run(name)
    #expect(model.screen == name)
    #expect(model.session.overlay == nil)
  }

  @Test("filters, sorts, goes to a metric and to a time")
  mutating func narrows() {
    _ = run("filter push")
    #expect(model[LiveScreen.self].filter == "push")
    _ = run("filter")
    #expect(model[LiveScreen.self].filter.isEmpty)
    _ = run("sort p95")
    #expect(model[LiveScreen.self].sort == .p95)
    _ = run("metric db.write_ms")
    #expect(model[LiveScreen.self].selection.map { "\($0)" }?.contains("write_ms") == true)
    _ = run("go -1m")
    #expect(model.session.isFrozen)
    _ = run("go live")
    #expect(!model.session.isFrozen)
  }

  @Test("sets glyphs, colors and the mouse")
  mutating func appearance() {
    _ = run("glyphs ascii")
    #expect(model.session.theme.glyphs == .ascii)
    _ = run("glyphs braille")
    #expect(model.session.theme.glyphs == .braille)
    _ = run("colors 16")
    #expect(model.session.theme.capabilities.depth == .indexed16)
    #expect(run("mouse off") == [.mouse(false)])
    #expect(run("mouse off") == [])
  }

  @Test("runs every action by its title, whole or in part")
  mutating func actions() {
    _ = run("freeze the screen, or follow again")
    #expect(model.session.isFrozen)
    _ = run("metric's")
    #expect(model.session.toast?.text.contains("matches 2 commands") == true, "two actions have this word")
    press(KeyPress(.escape))
    _ = run("return to")
    #expect(!model.session.isFrozen)
  }

  static let wrong = [
    ("histry", "Unknown command «histry»: did you mean history?"),
    ("xyzzy", "Unknown command «xyzzy»: Tab lists what there is"),
    ("sort p955", "sort: unknown «p955»; did you mean p95?"),
    ("glyphs", "glyphs what? braille, blocks, ascii"),
    ("colors pink", "colors: unknown «pink»; choose one of 24bit, 256, 16, none"),
    ("metric sync.push_mss", "metric: unknown «sync.push_mss»; did you mean sync.push_ms?"),
    ("go", "go where? \(TypedLine.time.hint)"),
  ]

  @Test("says what is wrong with a line, and leaves it to be corrected", arguments: wrong)
  mutating func says(line: String, problem: String) {
    _ = run(line)
    #expect(model.session.toast?.text == problem)
    #expect(typed == line)
  }

  @Test("completes with Tab: what all have in common, then the first")
  mutating func completes() {
    type(":his")
    press(KeyPress(.tab))
    #expect(typed?.hasPrefix("histo") == true)
    press(.control("u"))
    type("metric push")
    press(KeyPress(.tab))
    #expect(typed == "metric sync.push_ms")
    press(KeyPress(.enter))
    #expect(model.session.overlay == nil)
  }

  @Test("recalls what was typed before with the arrows")
  mutating func recalls() {
    _ = run("sort p95")
    _ = run("sort n")
    type(":")
    press(KeyPress(.up))
    #expect(typed == "sort n")
    press(KeyPress(.up))
    #expect(typed == "sort p95")
    press(KeyPress(.up))
    #expect(typed == "sort p95")
    press(KeyPress(.down), KeyPress(.down))
    #expect(typed == "")
  }

  @Test("lists what can be typed, at every size", arguments: [(120, 36), (80, 24), (40, 12), (20, 5)])
  mutating func lists(width: Int, height: Int) {
    _ = update(&model, .input(.resize(Size(width: width, height: height))))
    type(":")
    let lines = view(model).buffer.lines
    #expect(lines.last?.contains(":") == true)
    #expect(height < 12 || lines.contains { $0.contains("filter WORDS") })
    press(KeyPress(.escape))
    #expect(model.session.overlay == nil)
  }

  @Test("quits with a receipt")
  mutating func quits() {
    #expect(run("quit") == [.quit])
    #expect(run("q") == [.quit])
  }
}

@Suite("What was typed before")
struct TypedLinesTests {
  @Test("what was recalled for one kind of line is none of another one's")
  func kinds() {
    var lines = TypedLines()
    lines.note("describe", for: .command)
    #expect(lines.recall(-1, for: .command) == "describe")
    #expect(lines.recall(1, for: .filter) == nil && lines.recall(-1, for: .filter) == nil)
    lines.note("push", for: .filter)
    #expect(lines.recall(-1, for: .filter) == "push" && lines.recall(-1, for: .filter) == "push")
    #expect(lines.recall(1, for: .filter) == "" && lines.recall(1, for: .filter) == nil)
  }
}
