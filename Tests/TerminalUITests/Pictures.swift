import TerminalUI

/// Widths come from libc, which counts by the locale: set once, whatever the environment says.
private let isUTF8 = TextLocale.adoptUTF8()

/// Makes sure that the process counts columns in UTF-8.
func adoptUTF8() { _ = isUTF8 }

/// A picture in a small buffer, one string a row.
func picture(
  _ width: Int, _ height: Int, repertoire: Repertoire = .unicode, _ draw: (inout Buffer) -> Void
) -> [String] {
  adoptUTF8()
  var buffer = Buffer(size: Size(width: width, height: height), repertoire: repertoire)
  draw(&buffer)
  return buffer.lines
}

/// A widget's picture over a whole buffer, as one text with a line feed after each row.
func picture(_ width: Int, _ height: Int, _ widget: some Widget) -> String {
  picture(width, height) { widget.render(in: $0.area, into: &$0) }.map { $0 + "\n" }.joined()
}

/// A theme of a tier, without colours.
func theme(_ glyphs: GlyphTier = .braille) -> Theme {
  Theme(capabilities: Capabilities(depth: .none, glyphs: glyphs))
}

/// A small generator with a fixed seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
