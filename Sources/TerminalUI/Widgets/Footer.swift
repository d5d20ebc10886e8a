/// Key hints in one row; the last one, at the right edge, is the last to be dropped.
package struct Footer: Widget {
  /// A key and its effect.
  package struct Hint: Hashable, Sendable {
    package var key: String
    package var text: String

    package init(_ key: String, _ text: String) {
      self.key = key
      self.text = text
    }
  }

  /// In order of importance: the last ones are dropped first when space is short.
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
    for (hint, start, width) in places(in: area, buffer.repertoire) {
      buffer.write(line(hint), at: Position(x: start, y: area.y), limit: width)
    }
  }

  /// The hints that fit, with their columns.
  private func places(in area: Rect, _ repertoire: Repertoire) -> [(hint: Hint, start: Int, width: Int)] {
    let endWidth = min(area.width, line(last).width(repertoire))
    var places = [(hint: last, start: area.maxX - endWidth, width: endWidth)]
    var x = area.x + 1
    for hint in hints {
      let width = line(hint).width(repertoire)
      guard x + width + Self.gap <= area.maxX - endWidth else { break }
      places.append((hint, x, width))
      x += width + Self.gap
    }
    return places
  }

  /// Columns between two hints.
  private static let gap = 3

  private func line(_ hint: Hint) -> Line {
    let text = hint.text.isEmpty ? "" : " " + hint.text
    return [Span(hint.key, theme[.key], hint: hint.key), Span(text, theme[.dim], hint: hint.key)]
  }
}
