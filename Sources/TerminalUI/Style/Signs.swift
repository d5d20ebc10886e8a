/// The symbols of one glyph tier: borders, folds, marks.
///
/// ASCII is a full tier, not a fallback.
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
  /// A release, or another annotation on the time axis.
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
  /// A text or Boolean that differs from the usual one.
  package var other: String { pick("≠", "x") }
  package var below: String { pick("↓", "v") }
  /// Precedes a headline, in the color of its severity.
  package var severity: String { pick("▌", "!") }
  package var silent: String { pick("∅", "0") }
  package var arrow: String { pick("→", "->") }
  package var plusMinus: String { pick("±", "+-") }
  package var atLeast: String { pick("≥", ">=") }
  package var delta: String { pick("Δ", "d") }
  package var dot: String { pick("·", ".") }
  /// Shown in the color of its meaning.
  package var swatch: String { pick("■", "#") }
  package var barFull: String { pick("━", "=") }
  package var barHalf: String { pick("╸", "-") }
  package var barEmpty: String { pick("─", "-") }
  /// The end of the second of two bars on one line.
  package var barEnd: String { pick("│", "|") }
  package var times: String { pick("×", "x") }
  /// Five densities, lightest first; a blank is not among them.
  package var densities: [String] { tier == .ascii ? [".", ":", "+", "*", "#"] : ["·", "░", "▒", "▓", "█"] }
  package var leftRight: String { pick("←→", "<- ->") }
  /// Eight bar heights of a sparkline, lowest first.
  package var sparks: [String] {
    tier == .ascii
      ? (0..<8).map { String(Character(Signs.asciiSpark($0))) } : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  }

  /// The ASCII symbol of one of eight heights.
  static func asciiSpark(_ level: Int) -> Unicode.Scalar {
    let signs: [Unicode.Scalar] = ["_", ".", ":", "-", "=", "+", "*", "#"]
    return signs[max(0, min(7, level))]
  }
}
