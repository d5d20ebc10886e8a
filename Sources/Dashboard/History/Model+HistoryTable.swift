import Aggregation
import History
import TerminalUI

// Which row of the table is the selected one.
extension Model {
  /// The place of the selected row among the rows that are at hand; `nil` while it is not among them.
  var selectedSample: Int? {
    guard let picture = history.picture, !picture.page.rows.isEmpty, isOfFocus(picture) else { return nil }
    let rows = picture.page.rows
    if let place = history.cursor.place { return rows.firstIndex { $0.place == place } }
    if case .playhead = history.cursor.anchor {
      guard case .time = picture.query.page.order else { return picture.page.anchor }
      // The page may be of a moment before: the row of the playhead is looked for.
      let after = rows.firstIndex { $0.time > live.content.edge } ?? rows.count
      return max(0, after - 1)
    }
    guard picture.query.page.anchor == history.cursor.anchor else { return nil }
    return picture.page.anchor.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  /// Whether an answer is of what chart and table are to show, perhaps of another stretch of time.
  func isOfFocus(_ picture: HistoryPicture) -> Bool {
    picture.query.focus == history.focus && picture.query.narrowed == history.narrowed
      && picture.query.page.order == history.order
  }

  /// The selected row of the table.
  var selectedRow: HistoryRow? { selectedSample.flatMap { history.picture?.page.rows[$0] } }

  /// All about the selected row; `nil` while that is not known.
  var detail: HistoryDetail? {
    guard let detail = history.picture?.detail, detail.row.place == selectedRow?.place else { return nil }
    return detail
  }

  /// The line of the selected row.
  var rawSample: RawLine? {
    detail.map {
      RawLine(source: fileName(of: $0), line: $0.row.line, offset: $0.row.place.offset, text: $0.rawLine)
    }
  }

  mutating func refreshCursor() {
    guard let row = selectedRow else { return }
    if case .playhead = history.cursor.anchor {} else { history.cursor.place = row.place }
    if history.cursor.isLeading {
      history.cursor.isLeading = false
      freeze(at: row.time)
      live.content.edge = row.time
    }
    let page = history.picture?.page ?? HistoryPage()
    let selected = page.first + (selectedSample ?? 0)
    let height = historyLayout.tableRows
    // Who comes from far away wants to see what is around.
    let isFar = selected < history.tableOffset - height || selected >= history.tableOffset + 2 * height
    history.tableOffset = Table.offset(
      showing: selected, of: page.total, height: height,
      from: isFar ? max(0, selected - height / 2) : history.tableOffset)
  }
}

extension Model {
  /// The file of a sample as the person knows it: of an unpacked one not the copy.
  func fileName(of detail: HistoryDetail) -> String {
    let files = history.picture?.files ?? []
    let number = detail.row.place.file
    return files.indices.contains(number) ? files[number] : detail.path
  }
}
