import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// The selected row of the table.
extension HistoryScreen {
  /// The order and cursor chosen since the playhead moved to its current place.
  private var table: HistoryTableChoice {
    get {
      let current = session.$destination
      return state.table.destination == current ? state.table : HistoryTableChoice(destination: current)
    }
    set { state.table = newValue }
  }

  var order: HistoryPageQuery.Order {
    get { table.order }
    set { table.order = newValue }
  }

  var cursor: HistoryCursor {
    get { table.cursor }
    set { table.cursor = newValue }
  }

  /// Index of the selected row among the available rows; `nil` while it is not among them.
  var selectedSample: Int? {
    guard let answer = session.history.answer, !answer.page.rows.isEmpty, isOfFocus(answer) else {
      return nil
    }
    let rows = answer.page.rows
    let cursor = cursor
    if let place = cursor.place { return rows.firstIndex { $0.place == place } }
    if case .playhead = cursor.anchor {
      guard case .time = answer.query.page.order else { return answer.page.anchor }
      // The page may be for an earlier moment, so the row of the playhead is searched for.
      let after = rows.firstIndex { $0.time > session.present } ?? rows.count
      return max(0, after - 1)
    }
    guard answer.query.page.anchor == cursor.anchor else { return nil }
    return answer.page.anchor.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  /// True if an answer is about what chart and table should show, possibly for another time range.
  func isOfFocus(_ answer: HistoryAnswer) -> Bool {
    answer.query.focus == state.focus && answer.query.narrowed == state.narrowed
      && answer.query.page.order == order
  }

  /// The selected row of the table.
  var selectedRow: HistoryRow? { selectedSample.flatMap { session.history.answer?.page.rows[$0] } }

  /// Details of the selected row; `nil` until they are known.
  var detail: HistoryDetail? {
    guard let detail = session.history.answer?.detail, detail.row.place == selectedRow?.place else {
      return nil
    }
    return detail
  }

  /// The line of the selected row.
  var selectedLine: RawLine? {
    detail.map {
      RawLine(source: fileName(of: $0), line: $0.row.line, offset: $0.row.place.offset, text: $0.rawLine)
    }
  }

  /// The file of a sample, by the name shown to the user.
  func fileName(of detail: HistoryDetail) -> String {
    let files = session.history.answer?.files ?? []
    let number = detail.row.place.file
    return files.indices.contains(number) ? files[number] : detail.path
  }

  mutating func refreshCursor() {
    guard let row = selectedRow else { return }
    if case .playhead = cursor.anchor {} else { cursor.place = row.place }
    if cursor.isLeading {
      cursor.isLeading = false
      session.freeze(at: row.time)
    }
    let page = session.history.answer?.page ?? HistoryPage()
    let selected = page.first + (selectedSample ?? 0)
    let height = layout.tableRows
    // A jump from far away should show the surrounding rows.
    let isFar = selected < state.tableOffset - height || selected >= state.tableOffset + 2 * height
    state.tableOffset = Table.offset(
      showing: selected, of: page.total, height: height,
      from: isFar ? max(0, selected - height / 2) : state.tableOffset)
  }
}
