import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("Screens in words")
struct WordsTests {
  var model = LiveFixture.model(120, 36, depth: .none, feed: LiveFixture.shared)

  init() { adoptUTF8() }

  @discardableResult
  private mutating func press(_ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  private var words: String {
    if case .description(let text) = model.session.overlay { text } else { "" }
  }

  @Test("D tells what each pane of Live shows, without signs or drawings")
  mutating func live() {
    press(KeyPress(":"))
    for character in "metric sync.push_ms" { press(KeyPress(character)) }
    press(KeyPress(.enter), KeyPress("D"))
    #expect(words.contains("17 metrics, worst first"))
    #expect(words.contains("selected is sync.push_ms: last "))
    for expected in ["It ", "95th percentile of sync.push_ms", "change"] {
      press(KeyPress(.escape), KeyPress(.tab), KeyPress("D"))
      #expect(words.contains(expected), "\(words)")
    }
    #expect(words == SpokenText.words(of: words))
  }

  @Test("every screen says something", arguments: ["1", "2", "3", "4", "5"] as [Character])
  mutating func everyScreen(key: Character) {
    press(KeyPress(key), KeyPress("D"))
    #expect(!words.isEmpty)
    #expect(press(KeyPress("y")).contains { if case .copy = $0 { true } else { false } })
    press(KeyPress("q"))
    #expect(model.session.overlay == nil)
  }

  @Test("the words fit the screen", arguments: [(120, 36), (80, 24), (40, 12), (20, 5)])
  mutating func fits(width: Int, height: Int) {
    _ = update(&model, .input(.resize(Size(width: width, height: height))))
    press(KeyPress("D"))
    #expect(view(model).buffer.lines.contains { $0.contains("In words") })
  }

  @Test("signs become words, drawings nothing")
  func signs() {
    #expect(SpokenText.words(of: "75ms → 9.8s (130×) │ 2 more") == "75ms to 9.8s (130 times); 2 more")
    #expect(SpokenText.words(of: "▁▂▃ ⣀⣤ ┌─┐ net.rtt_ms") == "net.rtt_ms")
    #expect(SpokenText.words(of: "größe 東京 41µs") == "größe 東京 41µs")
  }
}

@Suite("Settings and comparisons by key")
struct SettingKeyTests {
  var model = LiveFixture.model(120, 36, depth: .none, feed: LiveFixture.shared)

  init() { adoptUTF8() }

  private mutating func press(_ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  @Test("F2 lists the settings and runs them")
  mutating func settings() {
    press(KeyPress(.function(2)))
    let lines = view(model).buffer.lines
    for setting in ["Glyphs: braille", "Colors: none", "Mouse: on", "Value axis: linear"] {
      #expect(lines.contains { $0.contains(setting) })
    }
    for character in "glyphs" { press(KeyPress(character)) }
    press(KeyPress(.enter), KeyPress(.enter))
    #expect(model.session.theme.glyphs == .ascii)
    #expect(view(model).buffer.lines.contains { $0.contains("Glyphs: ascii") })
    press(.control("u"))
    for character in "axis" { press(KeyPress(character)) }
    press(KeyPress(.enter), KeyPress(.escape))
    #expect(model.session.isLogarithmic == true)
    #expect(model.session.overlay == nil)
  }

  @Test("c chooses what to compare, from Live and History", arguments: ["1", "2"] as [Character])
  mutating func compares(screen: Character) {
    press(KeyPress(screen), KeyPress("c"))
    #expect(model.screen == "histogram")
    #expect(model[HistogramScreen.self].isChoosing || model.session.overlay != nil)
  }
}
