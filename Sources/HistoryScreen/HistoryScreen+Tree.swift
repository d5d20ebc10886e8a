import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// The rows of the tree, and of the list of views and marks below it.
extension HistoryScreen {
  /// The areas of the tree and the list below it.
  var treeParts: (tree: Rect, rule: Rect, notes: Rect) { layout.treeParts(notes: state.noteRows.count) }

  mutating func refreshTree() {
    refreshTreeRows()
    let (all, notes) = (state.rows, state.noteRows)
    if state.row == nil || indexOfTreeRow == nil {
      state.row = state.focus.map { .node(.series($0)) } ?? all.first?.id
      if indexOfTreeRow == nil { state.row = all.first?.id ?? selectableNotes.first?.id }
    }
    let parts = treeParts
    let selected = indexOfTreeRow
    state.rowPlace = selected
    state.offset = Table.offset(
      showing: selected.flatMap { $0 < all.count ? $0 : nil }, of: all.count, height: parts.tree.height,
      from: state.offset)
    state.listOffset = Table.offset(
      showing: notes.firstIndex { $0.id == state.row }, of: notes.count, height: parts.notes.height,
      from: state.listOffset)
  }

  private mutating func refreshTreeRows() {
    let key = HistoryState.TreeKey(
      series: session.history.answer == nil
        ? .store(version: session.store.seriesVersion) : .history(session.history.$series),
      toggled: state.toggled, filter: state.rowFilter,
      filtered: FilterMoment(
        state.rowFilter, present: min(state.window.upperBound, session.present), window: windowLength),
      notes: session.notes)
    guard state.tree.key != key else { return }
    state.series.update(for: key.series) { [self] _ in series }
    let found = HistoryTreeRows(rows: treeRows, notes: noteRows)
    state.tree.update(for: key) { _ in found }
  }

  private var treeRows: [HistoryTreeRow] {
    let rows = session.filtered(
      by: state.rowFilter, from: state.window.lowerBound, to: state.window.upperBound
    ) { matcher in
      HistoryTree(series: state.series.value, toggled: state.toggled, matcher: matcher).rows
    }
    guard session.history.answer == nil else { return rows }
    return rows.map {
      HistoryTreeRow(id: $0.id, depth: $0.depth, label: $0.label, fold: $0.fold, count: nil)
    }
  }

  /// All series by name, engine records last; those of the samples read so far until the history answers.
  private var series: [HistorySeries] {
    let known =
      session.history.answer?.series
      ?? session.store.allSeries.compactMap { id in
        session.store.identity(of: id).map { HistorySeries(identity: $0, count: 0, total: 0) }
      }
    return known.sorted { $0.isListed(before: $1) }
  }

  private var noteRows: [HistoryTreeRow] {
    func title(_ text: String) -> HistoryTreeRow {
      HistoryTreeRow(id: nil, depth: 0, label: text, fold: .leaf, count: nil)
    }
    let notes = session.notes
    var rows: [HistoryTreeRow] = []
    if !notes.views.isEmpty {
      rows.append(title("Saved views"))
      rows += notes.views.map {
        HistoryTreeRow(id: .view($0.name), depth: 2, label: $0.name, fold: .leaf, count: nil)
      }
    }
    if !notes.marks.isEmpty {
      rows.append(title("Marks"))
      rows += notes.marks.sorted { $0.key < $1.key }.map { letter, mark in
        let time = session.zone.moment(mark.time, now: session.now)
        return HistoryTreeRow(
          id: .mark(letter), depth: 2, label: "\(letter) \(time) \(mark.text)", fold: .leaf, count: nil)
      }
    }
    return rows
  }

  /// The rows below the tree that can be selected.
  var selectableNotes: [HistoryTreeRow] { state.noteRows.filter { $0.id != nil } }

  /// Index of the selected row among those of the tree, followed by those below it.
  var indexOfTreeRow: Int? {
    guard let row = state.row else { return nil }
    let all = state.rows
    // The previous place is checked first, because there may be many thousands of rows.
    if let known = state.rowPlace, all.indices.contains(known), all[known].id == row {
      return known
    }
    if let index = all.firstIndex(where: { $0.id == row }) { return index }
    return selectableNotes.firstIndex { $0.id == row }.map { all.count + $0 }
  }
}
