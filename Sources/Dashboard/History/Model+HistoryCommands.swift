import Aggregation
import History
import TerminalUI

// What the actions do on the History screen.
extension Model {
  // MARK: Rows

  /// Rows of a page of the list that has the keys.
  var historyPage: Int {
    history.pane == .tree
      ? historyLayout.treeParts(notes: history.content.notes.count).tree.height : historyLayout.tableRows
  }

  mutating func moveHistoryCursor(by rows: Int) {
    if history.pane == .tree, !historyLayout.tree.isEmpty { return moveTreeRow(by: rows) }
    moveSample(by: rows)
  }

  private mutating func moveTreeRow(by rows: Int) {
    let all = history.content.rows + selectableNotes
    guard !all.isEmpty else { return }
    history.row = all[Self.moved(indexOfTreeRow ?? 0, by: rows, count: all.count)].id
  }

  /// Moves the selected row of the table, and the playhead with it.
  private mutating func moveSample(by rows: Int) {
    guard let page = history.picture?.page, page.total > 0, let index = selectedSample else { return }
    let target = Self.moved(page.first + index, by: rows, count: page.total)
    guard target != page.first + index else { return }
    let place = target - page.first
    if page.rows.indices.contains(place) {
      let row = page.rows[place]
      history.cursor = HistoryCursor(anchor: .sample(row.place, offset: 0), place: row.place)
      freeze(at: row.time)
    } else {
      history.cursor = HistoryCursor(anchor: .row(target), place: nil, isLeading: true)
      freeze(at: live.content.edge)
    }
  }

  // MARK: Opening and going back

  mutating func enterHistory() {
    if history.isGivenUp { return resumeHistory() }
    switch history.pane {
    case .tree: enterTreeRow()
    case .chart: history.pane = .table
    case .table, .detail: if history.focus != nil, selectedRow != nil { overlay = .rawSample }
    }
  }

  private mutating func enterTreeRow() {
    guard let row = history.row else { return }
    switch row {
    case .node(.bucket), .node(.structure): toggle(row)
    case .node(.series(let identity)):
      if history.focus == identity, history.narrowed == nil, isFoldable(row) { return toggle(row) }
      focusHistory(on: identity)
      openChart()
    case .value(let identity, let value):
      focusHistory(on: identity, narrowed: value)
      openChart()
    case .look(let name):
      if let look = notes.looks.first(where: { $0.name == name }) { apply(look) }
      leavePicker()
    case .mark(let letter):
      goToMark(letter)
      leavePicker()
    }
  }

  /// Where the tree lies over all else it has done its work.
  private mutating func leavePicker() {
    if !historyLayout.hasBoxes { openChart() }
  }

  private func isFoldable(_ id: HistoryRowID) -> Bool {
    history.content.rows.first { $0.id == id }.map { $0.fold != .leaf } ?? false
  }

  mutating func toggle(_ row: HistoryRowID) {
    if history.toggled.remove(row) == nil { history.toggled.insert(row) }
    history.row = row
  }

  private mutating func openChart() {
    history.pane = historyLayout.panes.first { $0 == .chart } ?? .table
  }

  /// Shows a series, or one value of it.
  mutating func focusHistory(on identity: SeriesIdentity, narrowed: String? = nil) {
    guard identity != history.focus || narrowed != history.narrowed else { return }
    history.sampleFilter = nil
    (history.focus, history.narrowed) = (identity, narrowed)
    resetCursor()
  }

  mutating func apply(_ order: HistoryPageQuery.Order) {
    history.order = order
    resetCursor()
  }

  private mutating func resetCursor() {
    history.cursor = HistoryCursor(anchor: history.order == .time ? .playhead : .row(0))
  }

  /// Goes from the detail to the table, from there to the chart, to the tree, and to the Live screen.
  mutating func leaveHistoryPane() {
    let panes = historyLayout.panes
    guard let index = panes.firstIndex(of: history.pane), index > 0 else { return show(.live) }
    history.pane = panes[index - 1]
  }

  // MARK: Order and matches

  mutating func sortHistoryNext() {
    switch history.order {
    case .time: history.order = .value(descending: true)
    case .value(descending: true): history.order = .value(descending: false)
    case .value(descending: false): history.order = .time
    }
    resetCursor()
  }

  mutating func invertHistorySort() {
    guard case .value(let isDescending) = history.order else {
      return say("By time the oldest always comes first: s sorts by value")
    }
    history.order = .value(descending: !isDescending)
    resetCursor()
  }

  /// Leaves the header of a bucket for the first metric that the filter lets through.
  mutating func selectHistoryMatch() {
    refreshTree()
    if case .node(.series) = history.row, indexOfTreeRow != nil { return }
    history.row = nil
    nextHistoryMatch(1)
  }

  mutating func nextHistoryMatch(_ direction: Int) {
    let rows = history.content.rows.compactMap(\.id).filter {
      if case .node(.series) = $0 { true } else { false }
    }
    guard !rows.isEmpty else { return }
    let index = history.row.flatMap { rows.firstIndex(of: $0) } ?? (direction > 0 ? -1 : 0)
    history.row = rows[(index + direction + rows.count) % rows.count]
  }

  /// Shows what an event is about, at its moment.
  mutating func show(_ event: LiveEvent) {
    if let series = event.series {
      focusHistory(on: series)
      history.row = .node(.series(series))
    }
    movePlayhead(to: event.time)
  }

  // MARK: Raw line and editor

  mutating func toggleRaw() {
    if historyLayout.hasBoxes || !historyLayout.detail.isEmpty {
      history.isRaw.toggle()
    } else {
      overlay = overlay == .rawSample ? nil : .rawSample
    }
  }

  /// Shows the line of the selected sample in the person's editor.
  mutating func openEditor() -> [Effect] {
    guard let detail else {
      // Where no pane shows it nobody has asked for it yet.
      overlay = .rawSample
      say("Its line is looked for; o again opens it")
      return []
    }
    return [.edit(path: detail.path, line: detail.row.line)]
  }
}
