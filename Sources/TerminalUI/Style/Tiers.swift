/// Which signs the terminal's font is trusted with, from rich to plain.
package enum GlyphTier: String, CaseIterable, Hashable, Sendable {
  case braille
  case blocks
  case ascii
}

/// How many colours the terminal shows.
package enum ColorDepth: String, CaseIterable, Hashable, Sendable, Comparable {
  case trueColor
  case indexed256
  case indexed16
  case none

  /// Fewer colours are less.
  package static func < (one: ColorDepth, other: ColorDepth) -> Bool {
    let all = allCases
    return (all.firstIndex(of: one) ?? 0) > (all.firstIndex(of: other) ?? 0)
  }
}

/// Which characters may be written at all: with an ASCII locale nothing else arrives intact.
package enum Repertoire: String, Hashable, Sendable {
  case unicode
  case ascii
}

/// Abilities of a terminal; found by probing, changed by the person.
package struct Capabilities: Hashable, Sendable {
  package var depth: ColorDepth
  package var glyphs: GlyphTier
  package var repertoire: Repertoire
  /// The most colors that can be sent, whether or not the terminal is known to show them.
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
