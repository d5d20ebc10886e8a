import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// Effects of keys on rows and panes.
extension HistoryScreen {
  // MARK: Rows

  mutating func moveCursor(by rows: Int) {
    if state.pane == .tree, !layout[.tree].isEmpty { return moveTreeRow(by: rows) }
    moveSample(by: rows)
  }

  mutating func moveTreeRow(by rows: Int) {
    let all = state.rows + selectableNotes
    guard !all.isEmpty else { return }
    state.row = all[Session.moved(indexOfTreeRow ?? 0, by: rows, count: all.count)].id
  }

  /// Moves the selected row of the table, and the playhead with it.
  mutating func moveSample(by rows: Int) {
    guard let page = session.history.answer?.page, page.total > 0, let index = selectedSample else { return }
    let target = Session.moved(page.first + index, by: rows, count: page.total)
    guard target != page.first + index else { return }
    let place = target - page.first
    if page.rows.indices.contains(place) {
      let row = page.rows[place]
      cursor = HistoryCursor(anchor: .sample(row.place, offset: 0), place: row.place)
      session.freeze(at: row.time)
    } else {
      cursor = HistoryCursor(anchor: .row(target), place: nil, isLeading: true)
      session.freeze(at: session.present)
    }
  }

  // MARK: Opening and going back

  mutating func enter() {
    if session.history.isGivenUp { return session.history.resume() }
    switch state.pane {
    case .tree: enterTreeRow()
    case .chart: if let range = selectedRange { zoom(to: range) } else { state.pane = .table }
    case .table, .detail: openLine()
    }
  }

  /// Shows the line of the selected row as soon as it is known.
  private mutating func openLine() {
    guard state.focus != nil else { return session.showToast("There is no metric") }
    session.overlay = .rawLine
  }

  private mutating func enterTreeRow() {
    guard let row = state.row else { return }
    switch row {
    case .node(.bucket), .node(.structure), .node(.idle): toggle(row)
    case .node(.series(let identity)):
      if state.focus == identity, state.narrowed == nil, isFoldable(row) { return toggle(row) }
      focus(on: identity)
      openChart()
    case .value(let identity, let value):
      focus(on: identity, narrowed: value)
      openChart()
    case .view(let name):
      if let view = session.notes.views.first(where: { $0.name == name }) { apply(view) }
      leavePicker()
    case .mark(let letter):
      session.goToMark(letter)
      leavePicker()
    }
  }

  /// Closes the tree where it covers everything else.
  private mutating func leavePicker() {
    if !layout.hasBoxes { openChart() }
  }

  private func isFoldable(_ id: HistoryRowID) -> Bool {
    state.rows.first { $0.id == id }.map { $0.fold != .leaf } ?? false
  }

  mutating func toggle(_ row: HistoryRowID) {
    if state.toggled.remove(row) == nil { state.toggled.insert(row) }
    state.row = row
  }

  private mutating func openChart() {
    state.pane = layout.panes.first { $0 == .chart } ?? .table
  }

  /// Shows a series, or one value of it.
  mutating func focus(on identity: SeriesIdentity, narrowed: String? = nil) {
    guard identity != state.focus || narrowed != state.narrowed else { return }
    state.sampleFilter = nil
    (state.focus, state.narrowed) = (identity, narrowed)
    resetCursor()
  }

  /// Undoes the last narrowing of the view, or else returns to the screen that asked for samples.
  ///
  /// - Returns: true if there was anything to undo.
  package mutating func stepBack() -> Bool {
    if state.selection != nil {
      clearSelection()
    } else if !state.zooms.isEmpty {
      zoomBack()
    } else if state.isMaximised {
      state.isMaximised = false
    } else if isPicking {
      openChart()
    } else if !state.filter.isEmpty {
      state.filter = ""
    } else if let ticket = state.ticket {
      goBack(with: ticket)
    } else if state.sampleFilter != nil {
      state.sampleFilter = nil
    } else {
      return false
    }
    return true
  }

  /// True if the tree covers everything else.
  private var isPicking: Bool { !layout.hasBoxes && state.pane == .tree && layout.panes.count > 1 }

  // MARK: Order and matches

  mutating func sort(by order: HistoryPageQuery.Order) {
    self.order = order
    resetCursor()
  }

  mutating func resetCursor() { cursor = HistoryCursor(anchor: order == .time ? .playhead : .row(0)) }

  mutating func sortNext() {
    switch order {
    case .time: sort(by: .value(descending: true))
    case .value(descending: true): sort(by: .value(descending: false))
    case .value(descending: false): sort(by: .time)
    }
  }

  mutating func invertSort() {
    guard case .value(let isDescending) = order else {
      return session.showToast("Sorted by time, the oldest always comes first; s sorts by value")
    }
    sort(by: .value(descending: !isDescending))
  }

  mutating func startFilter() {
    state.pane = .tree
    session.overlay = .typing(.filter, Prompt(state.filter, isSelected: true))
  }

  /// Moves from the header of a bucket to the first metric that passes the filter.
  private mutating func selectMatch() {
    refreshTree()
    if case .node(.series) = state.row, indexOfTreeRow != nil { return }
    state.row = nil
    nextMatch(1)
  }

  mutating func nextMatch(_ direction: Int) {
    let rows = state.rows.compactMap(\.id).filter {
      if case .node(.series) = $0 { true } else { false }
    }
    guard !rows.isEmpty else { return }
    let index = state.row.flatMap { rows.firstIndex(of: $0) } ?? (direction > 0 ? -1 : 0)
    state.row = rows[(index + direction + rows.count) % rows.count]
  }

  // MARK: Typed lines

  /// Executes a typed line; an invalid one stays open for correction.
  mutating func submit(_ line: TypedLine, _ text: String) -> [Effect] {
    if line == .view { return keepView(text) }
    if line == .file { return export(to: text) }
    if line == .filter { state.rowFilter = state.rowFilter.settled }
    session.closeFilter(line == .filter ? state.rowFilter : RowFilter())
    if line == .filter, !state.rowFilter.isEmpty { selectMatch() }
    return []
  }

  // MARK: Raw line and editor

  mutating func toggleRaw() {
    if layout.hasBoxes || !layout[.detail].isEmpty {
      state.isRaw.toggle()
    } else {
      session.overlay = session.overlay == .rawLine ? nil : .rawLine
    }
  }

  /// Opens the line of the selected sample in the user's editor.
  mutating func openEditor() -> [Effect] {
    guard let detail else {
      // Without a pane that shows the line, it has not been requested yet.
      session.overlay = .rawLine
      session.showToast("Looking for its line; press o again to open it")
      return []
    }
    return [.edit(path: detail.path, line: detail.row.line)]
  }
}

extension HistoryScreen {
  /// The orders of the table by the name the user types.
  static let orders: [String: HistoryPageQuery.Order] = [
    "time": .time, "largest": .value(descending: true), "smallest": .value(descending: false),
  ]
}
