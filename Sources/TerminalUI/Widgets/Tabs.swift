/// The screens by number and name, the current one highlighted; names are dropped when space is short.
package struct Tabs: Widget {
  package var titles: [String]
  /// The keys that show them; by default, their numbers from 1.
  package var keys: [String]
  package var selection: Int
  package var theme: Theme

  package init(_ titles: [String], keys: [String]? = nil, selection: Int, theme: Theme) {
    self.titles = titles
    let numbers = titles.indices.map { String($0 + 1) }
    self.keys = keys?.count == titles.count ? keys ?? numbers : numbers
    self.selection = selection
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    buffer.write(line(width: area.width), at: area.origin, limit: area.width)
  }

  /// The widest of three forms that fits: all names, only the current one's, or only its number.
  package func line(width: Int) -> Line {
    let forms = [full, compact]
    return forms.first { $0.width() <= width } ?? numbers
  }

  /// One of the two forms with a tab for each screen.
  package func line(isCompact: Bool) -> Line { isCompact ? compact : full }

  /// All names: ` 1 Live   2 History   3 Histogram `.
  package var full: Line { line(fullPieces) }

  /// Only the current one's name: ` 1 Live  2  3`.
  package var compact: Line { line(compactPieces) }

  /// The tab at a column of one of these forms, counted from the form's left; `nil` between two tabs.
  package func tab(atColumn column: Int, isCompact: Bool) -> Int? {
    var end = 0
    for piece in isCompact ? compactPieces : fullPieces {
      let start = end
      end += piece.text.count
      if column >= start, column < end { return piece.tab }
    }
    return nil
  }

  private var numbers: Line {
    Line(titles.indices.contains(selection) ? keys[selection] : "", style(selection))
  }

  /// A part of the line, and the tab that it belongs to.
  private struct Piece {
    let text: String
    var tab: Int?
  }

  private var fullPieces: [Piece] {
    titles.indices.flatMap { index in
      let tab = Piece(text: " \(keys[index]) \(titles[index]) ", tab: index)
      return index > 0 ? [Piece(text: " "), tab] : [tab]
    }
  }

  private var compactPieces: [Piece] {
    titles.indices.flatMap { index in
      let isShown = index == selection
      let tab = Piece(text: isShown ? " \(keys[index]) \(titles[index]) " : keys[index], tab: index)
      return index > 0 ? [Piece(text: isShown ? " " : "  "), tab] : [tab]
    }
  }

  private func line(_ pieces: [Piece]) -> Line {
    Line(pieces.map { Span($0.text, $0.tab.map(style) ?? .plain) })
  }

  private func style(_ index: Int) -> Style {
    index == selection ? theme[.selection] : theme[.header]
  }
}
