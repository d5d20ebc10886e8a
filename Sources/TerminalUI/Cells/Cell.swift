/// One cell of the screen: a character of one or two columns, or the right half of a wide one.
///
/// Two machine words without references: a base scalar and up to two combining marks of 21 bits each (further ones are
/// dropped), one bit for “wide”, and the style. Comparing, copying and clearing frames is then plain memory work.
package struct Cell: Hashable, Sendable {
  // 0..<21 base, 21..<42 and 42..<63 marks, 63 wide. Base 0 is the right half of a wide cell.
  let glyph: UInt64
  package var style: Style

  private static let wideBit: UInt64 = 1 << 63

  init(glyph: UInt64, style: Style) {
    self.glyph = glyph
    self.style = style
  }

  /// A cell of one scalar that is known to be safe.
  init(base: Unicode.Scalar, isWide: Bool = false, style: Style = .plain) {
    self.init(glyph: UInt64(base.value) | (isWide ? Cell.wideBit : 0), style: style)
  }

  package static let blank = Cell(base: " ")

  /// A space in a style.
  package static func blank(_ style: Style) -> Cell { Cell(base: " ", style: style) }

  static func continuation(_ style: Style) -> Cell { Cell(glyph: 0, style: style) }

  /// Width in columns: 1, 2, or 0 for the right half of a wide cell.
  package var width: Int { glyph == 0 ? 0 : glyph & Cell.wideBit == 0 ? 1 : 2 }
  package var isContinuation: Bool { glyph == 0 }
  package var isWide: Bool { glyph & Cell.wideBit != 0 }

  /// The cell with one more combining mark; unchanged if it is full.
  func adding(mark: Unicode.Scalar) -> Cell {
    let value = UInt64(mark.value)
    if glyph >> 21 & 0x1F_FFFF == 0 { return Cell(glyph: glyph | value << 21, style: style) }
    if glyph >> 42 & 0x1F_FFFF == 0 { return Cell(glyph: glyph | value << 42, style: style) }
    return self
  }

  /// The scalars in writing order, zero if unused: base and two marks.
  package var scalars: (UInt32, UInt32, UInt32) {
    (
      UInt32(truncatingIfNeeded: glyph & 0x1F_FFFF), UInt32(truncatingIfNeeded: glyph >> 21 & 0x1F_FFFF),
      UInt32(truncatingIfNeeded: glyph >> 42 & 0x1F_FFFF)
    )
  }

  /// The character as text; empty for the right half of a wide cell.
  package var text: String {
    var result = ""
    appendText(to: &result)
    return result
  }

  func appendText(to text: inout String) {
    let (base, first, second) = scalars
    for value in [base, first, second] where value != 0 {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
  }
}

extension Cell {
  /// The scalars within a repertoire; others are replaced by their ASCII equivalents.
  package func scalars(in repertoire: Repertoire) -> (UInt32, UInt32, UInt32) {
    let all = scalars
    guard !repertoire.hasSigns, all.0 >= 0x7F, !isWide || repertoire == .ascii,
      let base = Unicode.Scalar(all.0)
    else { return all }
    return (SafeText.asciiSign(base).value, 0, 0)
  }
}
