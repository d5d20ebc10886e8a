import DashboardCore
import Platform
import TerminalUI
import Testing

@testable import Commands

@Suite("Choices that do not take effect")
struct OverriddenChoiceTests {
  private func sentences(
    _ words: [String], on found: Capabilities = Capabilities(), environment: [String: String] = [:],
    colors: ColorDepth? = nil, glyphs: GlyphTier? = nil
  ) throws -> [String] {
    let view = try view(words, environment)
    var configuration = Configuration()
    (configuration.colors, configuration.glyphs) = (colors, glyphs)
    return view.overriddenChoices(
      on: found, configuration: configuration, locale: LocaleChoice(environment: environment))
  }

  private func view(_ words: [String], _ variables: [String: String] = [:]) throws -> ViewOptions {
    try ViewOptions(
      Arguments(
        OptionScanner.scan(words, options: ViewOptions.options),
        environment: ProcessEnvironment(variables: variables, now: Timestamp(0), exists: { _ in false })))
  }

  private let plain = Capabilities(depth: .indexed256, glyphs: .ascii, repertoire: .ascii)

  @Test("what takes effect is not told")
  func silent() throws {
    #expect(try sentences([]) == [])
    #expect(try sentences(["--glyphs", "blocks", "--colors", "16", "--theme", "paper"]) == [])
    #expect(try sentences(["--ascii"], on: plain) == [])
    #expect(try sentences(["--glyphs", "ascii"], on: plain) == [])
    #expect(try sentences(["--colors", "256"], environment: ["NO_COLOR": "1"], colors: .indexed16) == [])
    #expect(try sentences([], environment: ["NO_COLOR": "1"]) == [])
  }

  @Test(
    "signs that the locale does not allow, with the remedy",
    arguments: [
      (["LC_ALL": "C"], "LC_ALL=C is not UTF-8; LC_ALL=C.UTF-8 is"),
      (["LANG": "de_DE.ISO-8859-1"], "LANG=de_DE.ISO-8859-1 is not UTF-8; LC_ALL=C.UTF-8 is"),
      (["LC_ALL": "", "LC_CTYPE": "C", "LANG": "C.UTF-8"], "LC_CTYPE=C is not UTF-8; LC_ALL=C.UTF-8 is"),
      (["LC_ALL": "xx_YY.UTF-8"], "LC_ALL=xx_YY.UTF-8 is not installed; LC_ALL=C.UTF-8 is"),
      ([:], "no locale is set; LC_ALL=C.UTF-8 is one with UTF-8"),
    ])
  func locale(environment: [String: String], reason: String) throws {
    #expect(
      try sentences(["--glyphs", "braille"], on: plain, environment: environment) == [
        "ASCII instead of braille: \(reason)"
      ])
    #expect(
      try sentences([], on: plain, environment: environment, glyphs: .blocks) == [
        "ASCII instead of blocks: \(reason)"
      ])
  }

  @Test("signs that the locale does not allow are not drawn by other means either")
  func glyphs() throws {
    var view = ViewOptions()
    view.glyphs = .braille
    #expect(view.capabilities(default: plain).glyphs == .ascii)
    #expect(view.capabilities(default: Capabilities(glyphs: .blocks)).glyphs == .braille)
  }

  @Test("colors, themes and contradictions")
  func others() throws {
    #expect(
      try sentences([], environment: ["NO_COLOR": "1"], colors: .indexed256) == [
        "No colors: NO_COLOR overrides colors: 256 of the configuration"
      ])
    #expect(
      try sentences(["--theme", "paper"], environment: ["NO_COLOR": "1"]) == [
        "--theme paper has no effect without colors"
      ])
    #expect(try sentences(["--theme", "auto"], environment: ["NO_COLOR": "1"]) == [])
    #expect(
      try sentences(["--ascii", "--glyphs", "braille"]) == ["--ascii overrides --glyphs braille"])
    let poor = Capabilities(depth: .none, glyphs: .ascii, deepest: .none)
    #expect(
      try sentences(["--colors", "24bit", "--theme", "paper"], on: poor) == [
        "No 24-bit color here: terminfo allows this terminal no colors",
        "--theme paper has no effect without colors",
      ])
  }

  @Test("lines of text have no looks")
  func linear() throws {
    let words = ["--theme", "paper", "--glyphs", "braille", "--ascii"]
    let view = try view(words)
    #expect(view.overriddenWithoutScreen == ["Lines of text have no screen: --theme paper has no effect"])
    #expect(ViewOptions().overriddenWithoutScreen == [])
  }
}
