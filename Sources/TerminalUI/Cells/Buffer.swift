/// A grid of cells: everything on the screen starts out as one of these.
///
/// Text gets in only through `write`, which lets nothing through that could control a terminal.
package struct Buffer: Equatable, Sendable {
  package let size: Size
  package let repertoire: Repertoire
  /// The character that marks cut text.
  let ellipsis: Unicode.Scalar
  package internal(set) var cells: [Cell]
  /// Columns on which a click stands for a key.
  private var hints: [DrawnHint] = []

  /// A buffer of spaces.
  package init(size: Size, repertoire: Repertoire = .unicode, glyphs: GlyphTier = .braille) {
    self.size = size
    self.repertoire = repertoire
    ellipsis = !repertoire.hasSigns || glyphs == .ascii ? "~" : "…"
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  /// A buffer of spaces for a terminal with these capabilities.
  package init(size: Size, capabilities: Capabilities) {
    self.init(size: size, repertoire: capabilities.repertoire, glyphs: capabilities.glyphs)
  }

  package var area: Rect { Rect(size: size) }

  // MARK: Hints

  /// A key hint in one row.
  private struct DrawnHint: Equatable, Sendable {
    let text: String
    var area: Rect
  }

  /// Maps clicks on these columns to a key.
  mutating func note(_ hint: String, at position: Position, width: Int) {
    if let last = hints.indices.last, hints[last].text == hint, hints[last].area.y == position.y,
      hints[last].area.maxX == position.x
    {
      hints[last].area = hints[last].area.inset(right: -width)
    } else {
      hints.append(DrawnHint(text: hint, area: Rect(x: position.x, y: position.y, width: width, height: 1)))
    }
  }

  /// The hint under a cell, and the cell's offset in it.
  package func hint(at position: Position) -> (text: String, offset: Int)? {
    hints.last { $0.area.contains(position) }.map { ($0.text, position.x - $0.area.x) }
  }

  /// Removes all hints, where something else is drawn over them.
  package mutating func forgetHints() { hints = [] }

  // MARK: Cells

  /// The cell at a position; blank outside the buffer.
  package subscript(x: Int, y: Int) -> Cell {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return .blank }
    return cells[y * size.width + x]
  }

  /// Fills an area with spaces in a style.
  package mutating func fill(_ rect: Rect, style: Style = .plain) {
    let area = rect.intersection(self.area)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      splitWide(x: area.x, y: y)
      splitWide(x: area.maxX, y: y)
      let start = y * size.width + area.x
      for index in start..<start + area.width { cells[index] = .blank(style) }
    }
  }

  /// Changes the style of an area and keeps its text.
  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(self.area)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        cells[y * size.width + x].style = change(cells[y * size.width + x].style)
      }
    }
  }

  /// Gives a cell a background if it has none; without colors, puts `mark` into it if it is blank.
  mutating func tint(x: Int, y: Int, _ background: Color, orPut mark: Cell) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    let index = y * size.width + x
    if background != .standard {
      if cells[index].style.background == .standard { cells[index].style.background = background }
    } else if cells[index].glyph == Cell.blank.glyph {
      put(mark, x: x, y: y)
    }
  }

  /// Puts one cell; a wide one needs room for its right half, and otherwise becomes a space.
  mutating func put(_ cell: Cell, x: Int, y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height, !cell.isContinuation else { return }
    let index = y * size.width + x
    if cell.isWide {
      guard x + 1 < size.width else { return put(.blank(cell.style), x: x, y: y) }
      splitWide(x: x, y: y)
      splitWide(x: x + 2, y: y)
      cells[index] = cell
      cells[index + 1] = .continuation(cell.style)
    } else {
      splitWide(x: x, y: y)
      splitWide(x: x + 1, y: y)
      cells[index] = cell
    }
  }

  /// Blanks the wide cell across the left edge of column `x`, so that no half remains.
  mutating func splitWide(x: Int, y: Int) {
    guard x > 0, x < size.width, cells[y * size.width + x].isContinuation else { return }
    let index = y * size.width + x
    cells[index] = .blank(cells[index].style)
    cells[index - 1] = .blank(cells[index - 1].style)
  }
}
