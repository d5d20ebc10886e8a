/// The glyphs that the terminal's font is trusted with, from rich to plain.
package enum GlyphTier: String, CaseIterable, Hashable, Sendable {
  case braille
  case blocks
  case ascii
}

/// Number of colors that the terminal shows.
package enum ColorDepth: String, CaseIterable, Hashable, Sendable, Comparable {
  case trueColor
  case indexed256
  case indexed16
  case none

  /// Orders depths by their number of colors.
  package static func < (one: ColorDepth, other: ColorDepth) -> Bool {
    let all = allCases
    return (all.firstIndex(of: one) ?? 0) > (all.firstIndex(of: other) ?? 0)
  }
}

/// The characters that may be written at all: with an ASCII locale, no others arrive intact.
package enum Repertoire: String, Hashable, Sendable {
  case unicode
  case ascii
}

/// The capabilities of a terminal; detected by probing, changed by the user.
package struct Capabilities: Hashable, Sendable {
  package var depth: ColorDepth
  package var glyphs: GlyphTier
  package var repertoire: Repertoire
  /// The greatest color depth that can be sent, even if the terminal is not known to show it.
  package var deepest: ColorDepth

  package init(
    depth: ColorDepth = .trueColor, glyphs: GlyphTier = .braille, repertoire: Repertoire = .unicode,
    deepest: ColorDepth = .trueColor
  ) {
    self.depth = depth
    self.glyphs = glyphs
    self.repertoire = repertoire
    self.deepest = deepest
  }
}
