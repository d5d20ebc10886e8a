import Testing

@testable import TerminalUI

@Suite("Contrast of the themes")
struct ContrastTests {
  /// Roles of lines and bars, not of letters: there 3:1 is enough.
  static let drawn: Set<Role> = [.border, .rail]
  /// Of sixteen colours no more can be read: xterm's light blue on black misses by a hair (4.43), and it stands beside
  /// signs that say the same.
  static let exceptions: [String: Set<Role>] = ["dark": [.borderFocused, .series6]]

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let depth: ColorDepth
    var testDescription: String { "\(name), \(depth.rawValue)" }
  }

  static let cases = Theme.names.flatMap { name in
    [ColorDepth.trueColor, .indexed256, .indexed16].map { Case(name: name, depth: $0) }
  }

  @Test("there are five themes, two of them for light backgrounds")
  func names() {
    #expect(Theme.names == ["dark", "night", "high-contrast", "light", "paper"])
    #expect(Palette.all.filter { $0.background.luminance > 0.5 }.map(\.name) == ["light", "paper"])
    #expect(Theme(name: "standard").name == "dark")
    #expect(Theme.names.map { Theme(name: $0).next.name } == Theme.names.dropFirst() + ["dark"])
  }

  @Test("luminance and contrast are those of WCAG")
  func formula() {
    #expect(Color.rgb(255, 255, 255).contrast(with: .rgb(0, 0, 0)) == 21)
    // The example that its understanding documents give most: #767676 on white.
    let grey = Color.rgb(0x76, 0x76, 0x76).contrast(with: .rgb(255, 255, 255))
    #expect(abs(grey - 4.54) < 0.005)
    #expect(Color.rgb(9, 9, 9).contrast(with: .rgb(9, 9, 9)) == 1)
  }

  @Test(
    "every role that colours text is at least 4.5:1 against the background, lines at least 3:1",
    arguments: cases)
  func background(_ one: Case) {
    let palette = Palette.named(one.name)
    let theme = Theme(name: one.name, capabilities: Capabilities(depth: one.depth))
    let isLight = palette.background.luminance > 0.5
    // A terminal of sixteen colours has xterm's black or white behind them.
    let paper = one.depth == .indexed16 ? Color.xterm(isLight ? 15 : 0) : palette.background
    for role in Role.allCases {
      let ink = theme[role].foreground.shown(or: palette.foreground)
      let isDrawn =
        Self.drawn.contains(role)
        || one.depth == .indexed16 && Self.exceptions[one.name]?.contains(role) == true
      let least = isDrawn ? 3 : one.name == "high-contrast" && one.depth != .indexed16 ? 7 : 4.5
      #expect(ink.contrast(with: paper) >= least, "\(role): \(ink.contrast(with: paper))")
    }
  }

  @Test(
    "the selected row can be read in every colour, too",
    arguments: cases.filter { $0.depth != .indexed16 })
  func selection(_ one: Case) {
    let theme = Theme(name: one.name, capabilities: Capabilities(depth: one.depth))
    let paper = theme[.selection].background
    for role in Role.allCases where !Self.drawn.contains(role) && role != .selection {
      let ink = theme[role].foreground.shown(or: Palette.named(one.name).foreground)
      #expect(ink.contrast(with: paper) >= 4.5, "\(role): \(ink.contrast(with: paper))")
    }
  }

  @Test("the selected row differs from its neighbours", arguments: Theme.names)
  func difference(name: String) {
    for depth in ColorDepth.allCases {
      let theme = Theme(name: name, capabilities: Capabilities(depth: depth))
      #expect(theme[.selection] != theme[.text])
      #expect(theme[.selection].attributes.contains(depth == .none ? .reverse : .bold))
    }
  }
}

extension Color {
  /// The contrast to another colour, from 1 (none) to 21 (black on white), as WCAG computes it.
  fileprivate func contrast(with other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The colour itself; another one where it is the terminal's own.
  fileprivate func shown(or other: Color) -> Color {
    switch kind {
    case .standard: other
    case .palette(let index) where index < 16: .xterm(index)
    case .palette, .rgb: self
    }
  }

  /// The sixteen as xterm has them by default.
  fileprivate static func xterm(_ index: UInt8) -> Color {
    let table: [(UInt8, UInt8, UInt8)] = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
      (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255),
      (0, 255, 255), (255, 255, 255),
    ]
    let (red, green, blue) = table[Int(index)]
    return .rgb(red, green, blue)
  }
}
