/// The screens by number and name, the shown one in brackets; names go when room is short.
package struct Tabs: Widget {
  package var titles: [String]
  package var selection: Int
  package var theme: Theme

  package init(_ titles: [String], selection: Int, theme: Theme) {
    self.titles = titles
    self.selection = selection
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    buffer.write(line(width: area.width), at: area.origin, limit: area.width)
  }

  /// The widest of three forms that fits: all names, only the shown one's, numbers only.
  package func line(width: Int) -> Line {
    let forms = [full, compact]
    return forms.first { $0.width() <= width } ?? numbers
  }

  /// All names: `[1 Live]  2 History   3 Histogram`.
  package var full: Line {
    line {
      "\($0 + 1) \(titles[$0])"
    } between: { _ in
      " "
    }
  }

  /// The name of the shown one only: `[1]Live  2  3`.
  package var compact: Line {
    var line = Line()
    for index in titles.indices {
      if index > 0 { line.append(index == selection ? " " : "  ") }
      line.append(index == selection ? "[\(index + 1)]" : "\(index + 1)", style(index))
      if index == selection { line.append(titles[index], style(index)) }
    }
    return line
  }

  private var numbers: Line {
    Line(titles.indices.contains(selection) ? "[\(selection + 1)]" : "", theme[.accent])
  }

  private func line(_ text: (Int) -> String, between: (Int) -> String) -> Line {
    var line = Line()
    for index in titles.indices {
      if index > 0 { line.append(between(index)) }
      let isShown = index == selection
      line.append((isShown ? "[" : " ") + text(index) + (isShown ? "]" : " "), style(index))
    }
    return line
  }

  private func style(_ index: Int) -> Style {
    index == selection ? theme[.accent].adding(.bold) : theme[.header]
  }
}
