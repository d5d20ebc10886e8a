import Aggregation
import Codecs
import Platform
import TerminalUI
import Testing

@testable import DashboardCore

@Suite("Screens as a configuration wants them")
struct ConfiguredScreenTests {
  init() { adoptUTF8() }

  private func lines(_ width: Int, _ height: Int, _ change: (inout Session) -> Void) -> [String] {
    // As at the start: before any sample is read.
    var model = LiveFixture.model(width, height, depth: .none, feed: .unread)
    change(&model.session)
    _ = update(&model, [.clock(LiveFixture.now), .feed(LiveFixture.shared)])
    return view(model).buffer.lines
  }

  @Test("the figures of the list are those that were chosen, in their order")
  func columns() throws {
    let lines = lines(120, 36) { $0.columns = [.max, .rate, .now] }
    let header = try #require(lines.first { $0.contains("NAME") && $0.contains("LAST") })
    let words = header.split(separator: " ").map(String.init)
    let place = try #require(words.firstIndex(of: "NAME"))
    #expect(Array(words[(place + 1)...].prefix(4)) == ["max", "rate", "NOW", "LAST"])
    #expect(!header.contains("p50"))
  }

  @Test("a chosen percentile has a value at any size")
  func chosenPercentile() throws {
    for (width, height) in [(120, 36), (240, 80), (80, 24)] {
      let lines = lines(width, height) { $0.columns = [.p99] }
      let row = try #require(lines.first { $0.contains("push_ms") })
      let figures = row.drop { $0 != "_" }.prefix(40).split(separator: " ")
      #expect(figures.count > 1 && figures[1] != "-", "\(row)")
    }
  }

  @Test(
    "of more figures than there is room for the first are shown",
    arguments: [(120, 36), (80, 24), (240, 80), (40, 12)])
  func room(width: Int, height: Int) {
    let all = lines(width, height) { $0.columns = LiveColumn.allCases }
    #expect(all.allSatisfy { $0.count <= width })
    #expect(all.contains { $0.contains("push_ms") || $0.contains("…") })
    let none = lines(width, height) { $0.columns = [] }
    #expect(none.allSatisfy { $0.count <= width })
  }

  @Test("a unit that was told stands for the one of the name")
  func units() {
    let usual = lines(120, 36) { _ in }
    let told = lines(120, 36) { $0.units = ["sync.queue_count": .seconds, "net.rtt_ms": .plain] }
    func row(_ lines: [String], _ name: String) -> String {
      lines.lazy.map { String($0.prefix(58)) }.first { $0.contains(name) } ?? ""
    }
    #expect(row(usual, "rtt_ms").contains("ms ") && !row(told, "rtt_ms").contains(/\d ms/))
    #expect(row(told, "queue_count").contains(/\d s/) && !row(usual, "queue_count").contains(/\d s/))
  }

  @Test(
    "the window may be any, within what can be shown",
    arguments: [(0.1, 1), (45, 45), (1e300, 31_536_000)] as [(Double, Double)])
  func window(asked: Double, shown: Double) {
    var model = LiveFixture.model(120, 36)
    model.session.setWindow(asked)
    #expect(model.session.window == shown)
  }

  @Test("the colors follow the terminal's answer until others are chosen")
  func colors() {
    func depth(_ events: InputEvent..., follows: Bool = true, deepest: ColorDepth = .trueColor) -> ColorDepth
    {
      var model = LiveFixture.model(120, 36)
      let capabilities = Capabilities(depth: .indexed256, deepest: deepest)
      model.session.theme = Theme(name: "night", capabilities: capabilities)
      model.session.followsColors = follows
      for event in events { _ = update(&model, .input(event)) }
      #expect(model.session.theme.name == "night")
      return model.session.theme.capabilities.depth
    }
    #expect(depth() == .indexed256 && depth(.trueColor) == .trueColor)
    #expect(depth(.trueColor, follows: false) == .indexed256)
    #expect(depth(.trueColor, deepest: .indexed256) == .indexed256)
    let chosen = ":colors 16".map { InputEvent.key(KeyPress(.character($0))) }
    var model = LiveFixture.model(120, 36)
    model.session.followsColors = true
    for event in chosen + [.key(KeyPress(.enter)), .trueColor] { _ = update(&model, .input(event)) }
    #expect(model.session.theme.capabilities.depth == .indexed16)
  }

  @Test("colors that the terminal cannot be sent are refused, and passed over when going through them")
  func refusedColors() {
    var model = LiveFixture.model(120, 36)
    model.session.theme = Theme(capabilities: Capabilities(depth: .indexed16, deepest: .indexed16))
    model.session.setColors(.trueColor)
    #expect(model.session.toast?.text == "No 24-bit color here: terminfo allows this terminal 16 colors")
    var depths: [ColorDepth] = []
    for _ in 0..<3 {
      model.session.nextColors()
      depths.append(model.session.theme.capabilities.depth)
    }
    #expect(depths == [.none, .indexed16, .none])
    #expect(Capabilities(depth: .none, deepest: .none).refusal(of: .indexed256) != nil)
    #expect(Capabilities(depth: .none).refusal(of: .trueColor) == nil)
  }

  @Test("a terminal that draws signs two columns wide gets ASCII, unless others were chosen")
  func unevenSigns() {
    func model(follows: Bool) -> (model: Model, effects: [Effect]) {
      var model = LiveFixture.model(120, 36)
      model.session.followsGlyphs = follows
      let effects = update(&model, .input(.unevenSigns))
      return (model, effects)
    }
    var (follower, effects) = model(follows: true)
    #expect(effects.contains { if case .redraw = $0 { true } else { false } })
    #expect(follower.session.theme.glyphs == .ascii)
    #expect(follower.session.theme.capabilities.repertoire == .evenWidth)
    #expect(
      follower.session.toast?.text == "ASCII signs: this terminal draws lines and bars two columns wide")
    let rows = view(follower).buffer.lines
    #expect(rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(rows.joined(separator: "\n"))")
    follower.session.setGlyphs(.braille)
    #expect(follower.session.theme.glyphs == .ascii)
    #expect(follower.session.toast?.text == "This terminal draws lines and bars two columns wide")
    let chooser = model(follows: false).model
    #expect(chooser.session.theme.glyphs == .braille)
    #expect(
      chooser.session.toast?.text == "This terminal draws lines and bars two columns wide: --ascii suits it")
  }

  @Test("a terminal without mouse and clipboard says so instead of doing nothing")
  func poorTerminal() {
    var model = LiveFixture.model(120, 36)
    model.session.theme = Theme(capabilities: Capabilities(hasPrivateModes: false))
    for (key, sentence) in [
      ("M", "This type of terminal reports no mouse"),
      ("y", "Nothing copied: this type of terminal takes no copies"),
      ("Y", "Nothing copied: this type of terminal takes no copies"),
    ] {
      let effects = update(&model, .input(.key(KeyPress(.character(Character(key))))))
      #expect(model.session.toast?.text == sentence)
      #expect(effects.allSatisfy { if case .copy = $0 { false } else { true } })
    }
    #expect(model.session.isMouseOn)
  }

  @Test("the theme follows the terminal's background until one is chosen")
  func background() {
    var model = LiveFixture.model(120, 36)
    _ = update(&model, .input(.background(.rgb(255, 255, 255))))
    #expect(model.session.theme.name == "dark")
    model.session.followsBackground = true
    _ = update(&model, .input(.background(.rgb(255, 255, 255))))
    #expect(model.session.theme.name == "light" && model.session.chosenTheme == nil)
    _ = update(&model, .input(.background(.rgb(10, 10, 10))))
    #expect(model.session.theme.name == "dark")
    _ = update(&model, .input(.key(.control("t"))))
    _ = update(&model, .input(.background(.rgb(255, 255, 255))))
    #expect(model.session.theme.name == "night" && model.session.chosenTheme == "night")
  }
}
