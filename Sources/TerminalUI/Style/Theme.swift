/// The meaning of a part of the screen; the theme assigns it a style.
package enum Role: UInt8, CaseIterable, Hashable, Sendable {
  case text, value, dim, border, borderFocused, title, header, headerBar, key
  case good, warning, alert, accent, selection, marker, gap, limit, rail, railWindow
  case series1, series2, series3, series4, series5, series6
  /// Behind a curve: where half and nine tenths of the values lie, and the same beyond a limit.
  case band, bandWide, excessBand, excessBandWide
}

/// The styles of all roles at one color depth, and the symbols of one glyph tier.
///
/// Color is never the only cue: each state with a color also has a symbol or a word, so `.none` loses nothing.
package struct Theme: Hashable, Sendable {
  /// One of ``names``.
  package let name: String
  package let capabilities: Capabilities
  private let styles: [Style]
  private let heights: [Style]
  private let excesses: [Style]

  /// - Parameter name: One of ``names``; any other name selects the dark theme.
  package init(name: String = "dark", capabilities: Capabilities = Capabilities()) {
    self.capabilities = capabilities
    let palette = Palette.named(name)
    self.name = palette.name
    styles = Role.allCases.map { palette.style(of: $0, depth: capabilities.depth) }
    heights = palette.height.styles(depth: capabilities.depth)
    excesses = palette.excess.styles(depth: capabilities.depth)
  }

  /// All themes, in the order in which a person cycles through them.
  package static let names = Palette.all.map(\.name)
  /// The name for the theme that suits the terminal's background.
  package static let automatic = "auto"

  /// The theme for a background if no theme was chosen.
  package static func name(isLight: Bool) -> String { isLight ? Palette.light.name : Palette.dark.name }

  /// The same terminal with another theme.
  package func named(_ name: String) -> Theme { Theme(name: name, capabilities: capabilities) }

  /// The next theme; wraps around after the last.
  package var next: Theme {
    let place = Self.names.firstIndex(of: name).map { ($0 + 1) % Self.names.count } ?? 0
    return named(Self.names[place])
  }

  /// Background and text color of the terminals that it is made for; neither is drawn.
  package var background: Color { Palette.named(name).background }
  package var foreground: Color { Palette.named(name).foreground }

  package subscript(role: Role) -> Style { styles[Int(role.rawValue)] }

  /// The style of a value by its height on its axis, from 0 to 1: one hue, brighter towards the top.
  package func height(_ share: Double) -> Style { Self.step(share, of: heights) }

  /// The style of a value by its distance beyond its limit, from 0 to 1.
  package func excess(_ share: Double) -> Style { Self.step(share, of: excesses) }

  /// Backgrounds from almost none up to that of a role, weakest first; empty with too few colors.
  package func heat(_ role: Role, steps: Int) -> [Style] {
    let (ink, paper) = (self[role].foreground, background)
    guard capabilities.depth == .trueColor || capabilities.depth == .indexed256 else { return [] }
    return (1...max(1, steps)).map { step in
      let color = paper.mixed(with: ink, 0.8 * Double(step) / Double(max(1, steps)))
      return Style(background: capabilities.depth == .trueColor ? color : color.indexed256)
    }
  }

  private static func step(_ share: Double, of scale: [Style]) -> Style {
    guard share.isFinite else { return scale.first ?? .plain }
    let last = scale.count - 1
    return scale[Int((max(0, min(1, share)) * Double(last)).rounded())]
  }

  package var glyphs: GlyphTier { capabilities.glyphs }
  package var signs: Signs { Signs(tier: capabilities.glyphs) }

  /// The style of a chart's series; wraps around if there are more series than styles.
  package func series(_ index: Int) -> Style {
    let looks: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]
    return self[looks[Int(index.magnitude % UInt(looks.count))]]
  }
}
