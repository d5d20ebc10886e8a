/// The signs of one glyph tier: borders, folds, marks.
///
/// ASCII is a tier of its own, not an apology.
package struct Signs: Hashable, Sendable {
  package let tier: GlyphTier

  package init(tier: GlyphTier) { self.tier = tier }

  private func pick(_ rich: String, _ plain: String) -> String { tier == .ascii ? plain : rich }

  package var horizontal: String { pick("─", "-") }
  package var vertical: String { pick("│", "|") }
  package var topLeft: String { pick("┌", "+") }
  package var topRight: String { pick("┐", "+") }
  package var bottomLeft: String { pick("└", "+") }
  package var bottomRight: String { pick("┘", "+") }
  package var doubleHorizontal: String { pick("═", "=") }
  package var doubleVertical: String { pick("║", "#") }
  /// Top left, top right, bottom left, bottom right.
  package var doubleCorners: [String] { tier == .ascii ? ["#", "#", "#", "#"] : ["╔", "╗", "╚", "╝"] }
  package var arrowHead: String { pick("▶", ">") }
  package var selected: String { pick("›", ">") }
  package var expanded: String { pick("▾", "v") }
  package var collapsed: String { pick("▸", ">") }
  package var descending: String { pick("▼", "v") }
  package var ascending: String { pick("▲", "^") }
  package var marker: String { pick("▲", "^") }
  /// A release, or another annotation of the time axis.
  package var release: String { pick("◆", "&") }
  package var live: String { pick("●", "*") }
  package var frozen: String { pick("‖", "=") }
  package var gap: String { pick("┊", ":") }
  package var limit: String { pick("╌", "-") }
  package var ellipsis: String { pick("…", "~") }
  package var separator: String { pick("│", "|") }
  package var rotated: String { pick("⟳", "@") }
  package var breaker: String { pick("⊘", "x") }
  package var above: String { pick("↑", "^") }
  /// A text or bool that is another one than usual.
  package var other: String { pick("≠", "x") }
  package var below: String { pick("↓", "v") }
  /// In front of a headline, in the colour of its severity.
  package var severity: String { pick("▌", "!") }
  package var silent: String { pick("∅", "0") }
  package var arrow: String { pick("→", "->") }
  package var plusMinus: String { pick("±", "+-") }
  package var atLeast: String { pick("≥", ">=") }
  package var delta: String { pick("Δ", "d") }
  package var dot: String { pick("·", ".") }
  /// In the colour of its meaning.
  package var swatch: String { pick("■", "#") }
  package var barFull: String { pick("━", "=") }
  package var barHalf: String { pick("╸", "-") }
  package var barEmpty: String { pick("─", "-") }
  /// Where the second of two bars on one line ends.
  package var barEnd: String { pick("│", "|") }
  package var times: String { pick("×", "x") }
  /// Five densities, the least first; nothing is none of them.
  package var densities: [String] { tier == .ascii ? [".", ":", "+", "*", "#"] : ["·", "░", "▒", "▓", "█"] }
  package var leftRight: String { pick("←→", "<- ->") }
  /// Eight heights of a spark, lowest first.
  package var sparks: [String] {
    tier == .ascii
      ? (0..<8).map { String(Character(Signs.asciiSpark($0))) } : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  }

  /// The ASCII sign of one of eight heights.
  static func asciiSpark(_ level: Int) -> Unicode.Scalar {
    let signs: [Unicode.Scalar] = ["_", ".", ":", "-", "=", "+", "*", "#"]
    return signs[max(0, min(7, level))]
  }
}
