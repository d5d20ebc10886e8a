/// A frame with words in its edges, or at small sizes one rule above the content.
///
/// `┌─ Buckets 31 ───── sort ─┐` … `└─ / filter ── 31 of 31 ─┘`, or `── push.ms ── 2m ───── z max ──`.
package struct Panel: Widget {
  /// Which lines are drawn.
  package enum Look: Hashable, Sendable {
    case box, rule
  }

  package var look: Look
  package var leading: [Line]
  package var trailing: [Line]
  package var footerLeading: [Line]
  package var footerTrailing: [Line]
  package var isFocused: Bool
  /// Whether the left words are cut for the right ones of the upper edge, where both do not fit.
  package var keepsTrailing = false
  package var theme: Theme

  package init(
    _ title: String = "", look: Look = .box, trailing: String = "", footer: String = "",
    footerTrailing: String = "", isFocused: Bool = false, theme: Theme
  ) {
    self.look = look
    self.theme = theme
    self.isFocused = isFocused
    let hint = theme[.dim]
    leading = title.isEmpty ? [] : [Line(title, theme[.title])]
    self.trailing = trailing.isEmpty ? [] : [Line(trailing, hint)]
    footerLeading = footer.isEmpty ? [] : [Line(footer, hint)]
    self.footerTrailing = footerTrailing.isEmpty ? [] : [Line(footerTrailing, hint)]
  }

  /// Where the content goes.
  package func inner(of area: Rect) -> Rect {
    look == .box ? area.inset(left: 1, top: 1, right: 1, bottom: 1) : area.inset(top: 1)
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let style = theme[isFocused ? .borderFocused : .border]
    let signs = theme.signs
    let top = look == .box ? (signs.topLeft, signs.topRight) : (signs.horizontal, signs.horizontal)
    edge(top, y: area.y, area, style, &buffer)
    // The colour of the border alone would not tell everybody where the keys act.
    if isFocused {
      buffer.write(
        signs.selected, at: Position(x: area.x + 1, y: area.y), style: style, limit: max(0, area.width - 2))
    }
    words(leading, trailing, keepsRight: keepsTrailing, y: area.y, area, &buffer)
    guard look == .box, area.height > 1 else { return }
    for y in area.y + 1..<area.maxY - 1 {
      buffer.write(signs.vertical, at: Position(x: area.x, y: y), style: style)
      buffer.write(signs.vertical, at: Position(x: area.maxX - 1, y: y), style: style)
    }
    edge((signs.bottomLeft, signs.bottomRight), y: area.maxY - 1, area, style, &buffer)
    words(footerLeading, footerTrailing, y: area.maxY - 1, area, &buffer)
  }

  private func edge(
    _ corners: (String, String), y: Int, _ area: Rect, _ style: Style, _ buffer: inout Buffer
  ) {
    let rule = String(repeating: theme.signs.horizontal, count: area.width)
    buffer.write(rule, at: Position(x: area.x, y: y), style: style, limit: area.width)
    buffer.write(corners.0, at: Position(x: area.x, y: y), style: style)
    buffer.write(corners.1, at: Position(x: area.maxX - 1, y: y), style: style)
  }

  /// Words sit in the line with a space at each side; the right ones go first when room is short.
  private func words(
    _ left: [Line], _ right: [Line], keepsRight: Bool = false, y: Int, _ area: Rect, _ buffer: inout Buffer
  ) {
    let start = area.x + 2
    let end = area.maxX - 2
    let repertoire = buffer.repertoire
    let leftWidth = keepsRight ? 8 : left.reduce(0) { $0 + $1.width(repertoire) + 4 }
    var shown = right
    while !shown.isEmpty,
      shown.reduce(0, { $0 + $1.width(repertoire) + 4 }) + leftWidth > end - start + 2
    {
      shown.removeLast()
    }
    var x = start
    let room = keepsRight ? end - shown.reduce(0) { $0 + $1.width(repertoire) + 4 } : end
    for line in left where room - x > 2 {
      x = word(line, x: x, limit: room - x, y: y, &buffer) + 2
    }
    var rightEnd = end
    for line in shown.reversed() {
      let width = line.width(repertoire) + 2
      _ = word(line, x: rightEnd - width, limit: width, y: y, &buffer)
      rightEnd -= width + 2
    }
  }

  /// Writes one word with its spaces; gives the column after it.
  private func word(_ line: Line, x: Int, limit: Int, y: Int, _ buffer: inout Buffer) -> Int {
    buffer.write(" ", at: Position(x: x, y: y))
    let used = buffer.write(line, at: Position(x: x + 1, y: y), limit: limit - 2, overflow: .ellipsis)
    buffer.write(" ", at: Position(x: x + 1 + used, y: y))
    return x + used + 2
  }
}
