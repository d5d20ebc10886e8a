/// A short message that replaces a row.
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
    buffer.fill(area.row(0))
    let width = min(area.width, SafeText.width(of: text, repertoire: buffer.repertoire) + 2)
    let style = theme[role].adding(.reverse)
    buffer.fill(Rect(x: area.x, y: area.y, width: width, height: 1), style: style)
    buffer.write(
      text, at: Position(x: area.x + min(1, width - 1), y: area.y), style: style,
      limit: max(1, width - 2), overflow: .ellipsis)
  }
}
