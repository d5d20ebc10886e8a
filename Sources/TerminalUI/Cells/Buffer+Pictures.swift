extension Buffer {
  /// The buffer as plain text, one string per row, with trailing spaces.
  package var lines: [String] {
    (0..<size.height).map { y in
      var line = ""
      for x in 0..<size.width { cells[y * size.width + x].appendText(to: &line) }
      return line
    }
  }

  /// The buffer as text with colors, for a terminal or a pager: rows end with a reset and a line feed.
  package func ansi(depth: ColorDepth) -> String {
    var text = ""
    for y in 0..<size.height {
      var style = Style.plain
      for x in 0..<size.width {
        let cell = cells[y * size.width + x]
        if cell.style != style {
          text += cell.style.escape(depth: depth)
          style = cell.style
        }
        cell.appendText(to: &text)
      }
      text += style == .plain ? "\n" : "\u{1B}[0m\n"
    }
    return text
  }

  /// The buffer as text and, below it, a map with one letter per style, explained at the end.
  ///
  /// Golden tests compare this, so that a wrong color shows as a wrong letter. The plain style is `.`.
  package var styledPicture: String {
    var letters: [Style: Character] = [.plain: "."]
    var order: [Style] = []
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    var map = ""
    for y in 0..<size.height {
      for x in 0..<size.width {
        let style = cells[y * size.width + x].style
        if letters[style] == nil {
          letters[style] = order.count < alphabet.count ? alphabet[order.count] : "#"
          order.append(style)
        }
        map.append(letters[style] ?? "#")
      }
      map += "\n"
    }
    let legend = order.map { "\(letters[$0] ?? "#") = \($0.description)\n" }.joined()
    return lines.map { $0 + "\n" }.joined() + "\n" + map + "\n" + legend
  }
}
