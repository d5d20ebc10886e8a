import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// Which row of the table is the selected one.
extension HistoryScreen {
  /// The choice made in the table since the playhead moved to its current place.
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

  /// The place of the selected row among the rows that are at hand; `nil` while it is not among them.
  var selectedSample: Int? {
    guard let answer = session.history.answer, !answer.page.rows.isEmpty, isOfFocus(answer) else {
      return nil
    }
    let rows = answer.page.rows
    let cursor = cursor
    if let place = cursor.place { return rows.firstIndex { $0.place == place } }
    if case .playhead = cursor.anchor {
      guard case .time = answer.query.page.order else { return answer.page.anchor }
      // The page may be of a moment before: the row of the playhead is looked for.
      let after = rows.firstIndex { $0.time > session.present } ?? rows.count
      return max(0, after - 1)
    }
    guard answer.query.page.anchor == cursor.anchor else { return nil }
    return answer.page.anchor.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  /// True if an answer is of what chart and table are to show, perhaps of another stretch of time.
  func isOfFocus(_ answer: HistoryAnswer) -> Bool {
    answer.query.focus == state.focus && answer.query.narrowed == state.narrowed
      && answer.query.page.order == order
  }

  /// The selected row of the table.
  var selectedRow: HistoryRow? { selectedSample.flatMap { session.history.answer?.page.rows[$0] } }

  /// All about the selected row; `nil` while that is not known.
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

  /// The file of a sample as the person knows it.
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
    // A jump from far away should show the surroundings.
    let isFar = selected < state.tableOffset - height || selected >= state.tableOffset + 2 * height
    state.tableOffset = Table.offset(
      showing: selected, of: page.total, height: height,
      from: isFar ? max(0, selected - height / 2) : state.tableOffset)
  }
}
