/// What a piece of the screen means; the theme says how that looks.
package enum Role: UInt8, CaseIterable, Hashable, Sendable {
  case text, value, dim, border, borderFocused, title, header, headerBar, key
  case good, warning, alert, accent, selection, marker, gap, limit, rail, railWindow
  case series1, series2, series3, series4, series5, series6
}

/// The looks of every role at one colour depth, and the signs of one glyph tier.
///
/// Colour is never alone: each state that has a colour also has a sign or a word, so `.none` loses nothing.
package struct Theme: Hashable, Sendable {
  package let name: String
  package let capabilities: Capabilities
  private let styles: [Style]

  package init(name: String = "standard", capabilities: Capabilities = Capabilities()) {
    self.name = name
    self.capabilities = capabilities
    let palette = Palette.named(name)
    styles = Role.allCases.map { palette.style(of: $0, depth: capabilities.depth) }
  }

  package subscript(role: Role) -> Style { styles[Int(role.rawValue)] }

  package var glyphs: GlyphTier { capabilities.glyphs }
  package var signs: Signs { Signs(tier: capabilities.glyphs) }

  /// The style of a chart's series, going round when there are more series than looks.
  package func series(_ index: Int) -> Style {
    let looks: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]
    return self[looks[Int(index.magnitude % UInt(looks.count))]]
  }
}
