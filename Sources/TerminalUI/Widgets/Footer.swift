/// Key hints in one row; the last one, at the right edge, is the last to go.
package struct Footer: Widget {
  /// A key and what it does.
  package struct Hint: Hashable, Sendable {
    package var key: String
    package var text: String

    package init(_ key: String, _ text: String) {
      self.key = key
      self.text = text
    }
  }

  /// In the order of their weight: the last ones go first when room is short.
  package var hints: [Hint]
  package var last: Hint
  package var theme: Theme

  package init(_ hints: [Hint], last: Hint = Hint("?", "keys"), theme: Theme) {
    self.hints = hints
    self.last = last
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let end = line(last)
    let endWidth = min(area.width, end.width(buffer.repertoire))
    buffer.write(end, at: Position(x: area.maxX - endWidth, y: area.y), limit: endWidth)
    var x = area.x + 1
    for hint in hints {
      let line = line(hint)
      let width = line.width(buffer.repertoire)
      guard x + width + 2 <= area.maxX - endWidth else { return }
      buffer.write(line, at: Position(x: x, y: area.y))
      x += width + 2
    }
  }

  private func line(_ hint: Hint) -> Line {
    [Span(hint.key, theme[.key]), Span(hint.text.isEmpty ? "" : " " + hint.text, theme[.dim])]
  }
}
