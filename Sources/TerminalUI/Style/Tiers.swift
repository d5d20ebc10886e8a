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

/// The characters that may be written at all.
package enum Repertoire: String, Hashable, Sendable {
  case unicode
  /// ASCII, and the characters that every terminal draws two columns wide: for terminals that draw others so, too.
  case evenWidth
  /// With an ASCII locale, no others arrive intact.
  case ascii

  /// True if lines, bars and dots are among them.
  package var hasSigns: Bool { self == .unicode }
}

/// The capabilities of a terminal; detected by probing, changed by the user.
package struct Capabilities: Hashable, Sendable {
  package var depth: ColorDepth
  package var glyphs: GlyphTier
  package var repertoire: Repertoire
  /// The greatest color depth that can be sent, even if the terminal is not known to show it.
  package var deepest: ColorDepth
  /// True if the terminal knows xterm's private modes: it reports the mouse and takes copies for the clipboard.
  package var hasPrivateModes: Bool

  package init(
    depth: ColorDepth = .trueColor, glyphs: GlyphTier = .braille, repertoire: Repertoire = .unicode,
    deepest: ColorDepth = .trueColor, hasPrivateModes: Bool = true
  ) {
    self.depth = depth
    self.glyphs = glyphs
    self.repertoire = repertoire
    self.deepest = deepest
    self.hasPrivateModes = hasPrivateModes
  }
}
