import Aggregation
import TerminalUI
import Testing

@testable import DashboardCore

@Suite("Pictures in every theme")
struct ThemePictureTests {
  init() { adoptUTF8() }

  private func live(_ theme: String, _ depth: ColorDepth) -> Model {
    var model = LiveFixture.model(120, 36, depth: depth)
    model.session.theme = model.session.theme.named(theme)
    return model
  }

  @Test("Live and help, each look as a letter", arguments: Theme.names)
  func coloured(theme: String) throws {
    var model = live(theme, .trueColor)
    try expectGolden(view(model).buffer.styledPicture, "theme-\(theme)-live-120x36")
    _ = update(&model, .input(.key(KeyPress("?"))))
    try expectGolden(view(model).buffer.styledPicture, "theme-\(theme)-help-120x36")
  }

  @Test("without colour all themes draw the same", arguments: Theme.names)
  func plain(theme: String) throws {
    let picture = view(live(theme, .none)).buffer.styledPicture
    try expectGolden(picture, "theme-none-live-120x36")
  }

  @Test("the action goes through the themes and comes back to the first")
  func next() {
    var model = live("dark", .trueColor)
    var shown: [String] = []
    for _ in Theme.names {
      _ = update(&model, .input(.key(.control("t"))))
      shown.append(model.session.theme.name)
      #expect(model.session.toast?.text == "Theme: \(model.session.theme.name)")
    }
    #expect(shown == ["night", "high-contrast", "light", "paper", "dark"])
  }

  @Test("a name that no theme has changes nothing and lists them")
  func unknown() {
    var model = live("paper", .trueColor)
    model.session.showTheme("plaid")
    #expect(model.session.theme.name == "paper")
    #expect(model.session.toast?.text == "The themes are dark, night, high-contrast, light, paper")
  }
}
