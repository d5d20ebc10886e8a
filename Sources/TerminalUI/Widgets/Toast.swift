/// A short message over the picture, in the middle of its last but one row.
package struct Toast: Widget {
  package var text: String
  package var role: Role
  package var theme: Theme

  package init(_ text: String, role: Role = .accent, theme: Theme) {
    self.text = text
    self.role = role
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let width = min(area.width, SafeText.width(of: text, repertoire: buffer.repertoire) + 4)
    let row = Rect(
      x: area.x + (area.width - width) / 2, y: max(area.y, area.maxY - 3), width: width, height: 1)
    let style = theme[role].adding(.reverse)
    buffer.fill(row, style: style)
    buffer.write(
      text, at: Position(x: row.x + min(2, width - 1), y: row.y), style: style,
      limit: max(1, width - 4), overflow: .ellipsis)
  }
}
