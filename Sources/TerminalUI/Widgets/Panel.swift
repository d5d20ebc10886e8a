/// A rule with text in it above the content, and a line that separates it from the pane to its left.
///
/// `┬─ net.request_ms ── 2 min ───── log ──`; an overlay has a full frame.
package struct Panel: Widget {
  /// The lines to draw: all around, those that panes share, or the upper one.
  package enum Look: Hashable, Sendable {
    case box, pane, rule
  }

  package var look: Look
  package var leading: [Line]
  package var trailing: [Line]
  package var footerLeading: [Line]
  package var footerTrailing: [Line]
  package var isFocused: Bool
  /// True to cut the left text of the upper edge in favor of the right one, if both do not fit.
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

  /// The area of the content.
  package func inner(of area: Rect) -> Rect {
    switch look {
    case .box: area.inset(left: 1, top: 1, right: 1, bottom: 1)
    case .pane: area.inset(left: 1, top: 1, right: 1)
    case .rule: area.inset(top: 1)
    }
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let style = theme[isFocused ? .borderFocused : .border]
    if look == .box { frame(area, style, &buffer) } else { rule(area, style, &buffer) }
    // The color of the border alone would not show everyone where the keys act.
    if isFocused {
      buffer.write(
        theme.signs.selected, at: Position(x: area.x + 1, y: area.y), style: style,
        limit: max(0, area.width - 2))
    }
    words(leading, trailing, keepsRight: keepsTrailing, y: area.y, area, &buffer)
    guard look == .box, area.height > 1 else { return }
    words(footerLeading, footerTrailing, y: area.maxY - 1, area, &buffer)
  }

  private func frame(_ area: Rect, _ style: Style, _ buffer: inout Buffer) {
    let (right, bottom) = (area.maxX - 1, area.maxY - 1)
    func put(_ sign: String, _ x: Int, _ y: Int) {
      buffer.write(sign, at: Position(x: x, y: y), style: style)
    }
    let signs = theme.signs
    for x in area.x...right {
      put(signs.horizontal, x, area.y)
      put(signs.horizontal, x, bottom)
    }
    for y in area.y...bottom {
      put(y == area.y ? signs.topLeft : y == bottom ? signs.bottomLeft : signs.vertical, area.x, y)
      put(y == area.y ? signs.topRight : y == bottom ? signs.bottomRight : signs.vertical, right, y)
    }
  }

  /// Draws the upper edge, and the left one unless it is the screen's.
  private func rule(_ area: Rect, _ style: Style, _ buffer: inout Buffer) {
    let tier = theme.glyphs
    let isDivided = look == .pane && area.x > 0
    let divider = theme[.border]
    if isDivided {
      buffer.join([.right, .down], x: area.x, y: area.y, style: divider, tier: tier)
      for y in area.y + 1..<max(area.y + 1, area.maxY) {
        buffer.join([.up, .down], x: area.x, y: y, style: divider, tier: tier)
      }
      buffer.join(.up, x: area.x, y: area.maxY, style: divider, tier: tier)
    }
    for x in area.x + (isDivided ? 1 : 0)..<area.maxX {
      buffer.join([.left, .right], x: x, y: area.y, style: style, tier: tier)
    }
    if look == .pane { buffer.join(.left, x: area.maxX, y: area.y, style: divider, tier: tier) }
  }

  /// Writes text into the line with a space on each side; the right text is dropped first when space is short.
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

  /// Writes one text with its spaces; returns the column after it.
  private func word(_ line: Line, x: Int, limit: Int, y: Int, _ buffer: inout Buffer) -> Int {
    buffer.write(" ", at: Position(x: x, y: y))
    let used = buffer.write(line, at: Position(x: x + 1, y: y), limit: limit - 2, overflow: .ellipsis)
    buffer.write(" ", at: Position(x: x + 1 + used, y: y))
    return x + used + 2
  }
}
