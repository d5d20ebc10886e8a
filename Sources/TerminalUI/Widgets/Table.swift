/// One column of a table.
package struct Column: Hashable, Sendable {
  /// The side of the column that its cells are aligned to.
  package enum Alignment: Hashable, Sendable {
    case leading, trailing
  }

  package var title: String
  package var width: Int
  /// True to take a share of the remaining width.
  package var isFlexible: Bool
  package var alignment: Alignment
  /// The order of dropping columns when space is short: the highest number first; 0 is never dropped.
  package var dropOrder: Int

  package init(
    _ title: String, width: Int, isFlexible: Bool = false, alignment: Alignment = .leading,
    dropOrder: Int = 0
  ) {
    self.title = title
    self.width = max(0, width)
    self.isFlexible = isFlexible
    self.alignment = alignment
    self.dropOrder = dropOrder
  }
}

/// One row of a table or tree.
package struct TableRow: Hashable, Sendable {
  /// The presence of child rows, and their visibility.
  package enum Fold: Hashable, Sendable {
    case leaf, expanded, collapsed
  }

  package var cells: [Line]
  /// Indentation of the first cell, in columns.
  package var indent: Int
  package var fold: Fold
  package var style: Style

  package init(_ cells: [Line], indent: Int = 0, fold: Fold = .leaf, style: Style = .plain) {
    self.cells = cells
    self.indent = max(0, indent)
    self.fold = fold
    self.style = style
  }
}

/// Rows in columns, or a tree of them; the selected row has a marker and a style.
package struct Table: Widget {
  package var columns: [Column]
  package var rows: [TableRow]
  /// Index of the selected row in `rows`.
  package var selection: Int?
  /// Index of the first visible row.
  package var offset: Int
  package var hasHeader: Bool
  /// Blank columns between two table columns.
  package var spacing: Int
  package var theme: Theme

  package init(
    columns: [Column], rows: [TableRow], selection: Int? = nil, offset: Int = 0,
    hasHeader: Bool = true, spacing: Int = 1, theme: Theme
  ) {
    self.columns = columns
    self.rows = rows
    self.selection = selection
    self.offset = max(0, offset)
    self.hasHeader = hasHeader
    self.spacing = max(0, spacing)
    self.theme = theme
  }

  /// Number of rows that fit below the header.
  package func visibleRows(in area: Rect) -> Int { max(0, area.height - (hasHeader ? 1 : 0)) }

  /// The row at a position on the screen, for the mouse.
  package func row(at position: Position, in area: Rect) -> Int? {
    let index = position.y - area.y - (hasHeader ? 1 : 0) + offset
    guard area.contains(position), position.y - area.y >= (hasHeader ? 1 : 0) else { return nil }
    return rows.indices.contains(index) ? index : nil
  }

  /// The column whose title is at a position on the screen, as an index in `columns`.
  package func titledColumn(at position: Position, in area: Rect) -> Int? {
    guard hasHeader, area.contains(position), position.y == area.y else { return nil }
    // The first screen column holds the selection marker.
    let x = position.x - area.x - 1
    return places(width: area.width - 1).first { $0.x <= x && x < $0.x + $0.width }?.column
  }

  /// The offset closest to the current one that keeps the selected row visible.
  package static func offset(showing selection: Int?, of count: Int, height: Int, from offset: Int) -> Int {
    let last = max(0, count - max(0, height))
    guard let selection, height > 0 else { return max(0, min(offset, last)) }
    return max(0, min(max(min(offset, selection), selection - height + 1), last))
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let places = places(width: area.width - 1)
    if hasHeader { renderHeader(places, in: area, into: &buffer) }
    let top = area.y + (hasHeader ? 1 : 0)
    for (line, index) in (min(offset, rows.count)..<rows.count).prefix(visibleRows(in: area)).enumerated() {
      render(
        rows[index], isSelected: index == selection, places,
        in: Rect(x: area.x, y: top + line, width: area.width, height: 1), into: &buffer)
    }
  }

  private func renderHeader(_ places: [Place], in area: Rect, into buffer: inout Buffer) {
    for place in places {
      write(
        Line(columns[place.column].title, theme[.dim]), place, base: .plain, inset: 0,
        in: area.row(0), into: &buffer)
    }
  }

  private func render(
    _ row: TableRow, isSelected: Bool, _ places: [Place], in area: Rect, into buffer: inout Buffer
  ) {
    let base = isSelected ? row.style.over(theme[.selection]) : row.style
    if isSelected {
      buffer.fill(area, style: base)
      buffer.write(theme.signs.selected, at: area.origin, style: theme[.accent].over(base))
    }
    for place in places where place.column < row.cells.count {
      var line = row.cells[place.column]
      var inset = 0
      if place.column == 0 {
        inset = row.indent
        if let sign = foldSign(row.fold) { line.spans.insert(Span(sign + " ", theme[.dim]), at: 0) }
      }
      write(line, place, base: base, inset: inset, in: area, into: &buffer)
    }
  }

  private func foldSign(_ fold: TableRow.Fold) -> String? {
    switch fold {
    case .leaf: return nil
    case .expanded: return theme.signs.expanded
    case .collapsed: return theme.signs.collapsed
    }
  }

  private func write(
    _ line: Line, _ place: Place, base: Style, inset: Int, in area: Rect, into buffer: inout Buffer
  ) {
    let left = area.x + 1 + place.x
    let room = place.width - inset
    guard room > 0 else { return }
    switch columns[place.column].alignment {
    case .leading:
      buffer.write(
        line, at: Position(x: left + inset, y: area.y), base: base, limit: room, overflow: .ellipsis)
    case .trailing:
      buffer.write(line, endingAt: left + place.width, y: area.y, base: base, limit: room)
    }
  }
}
