import Aggregation
import DashboardCore
import Platform
import TerminalUI

// The selection of a row.
extension LiveScreen {
  /// Keeps the selection on its identity; if that is gone, its bucket is selected.
  mutating func keepSelection() {
    if !session.isTouched, !state.isSettled { selectWorst() }
    let rows = state.content.rows
    var index = index(of: state.selection)
    if index == nil, !rows.isEmpty {
      let bucket = state.selection.map { RowID.bucket($0.bucket) }
      index = self.index(of: bucket) ?? worstRow ?? 0
      state.selection = index.map { rows[$0].id }
    }
    state.content.selectedIndex = index
    state.offset = Table.offset(
      showing: index, of: rows.count, height: layout.rows.height, from: state.offset)
  }

  /// True if the list may still be reordered by severity: the user has not acted yet, and the list has not settled or has
  /// changed its form.
  var mayOrder: Bool {
    !session.isTouched
      && (!state.isSettled || state.content.rowList.key.map { $0.listing.form != .tree } != layout.isFlat)
  }

  /// Selects the worst row, which is the first one of an unsorted list.
  ///
  /// Settled once all data present at the opening has been examined and a metric with numbers was found: a file that is
  /// still being read ends up with the same frame as one read before.
  private mutating func selectWorst() {
    guard let worst = worstRow else { return }
    state.selection = state.content.rows[worst].id
    state.isSettled = session.alerts.isOfWhole && session.knowsIncidents && hasNumbers
  }

  private var hasNumbers: Bool {
    state.content.rows.contains { row in row.series.map { session.store.tally(of: $0).numbers > 0 } ?? false }
  }

  /// The index of the worst row by severity; without any problem, of the first metric.
  private var worstRow: Int? {
    let rows = state.content.rows.prefix(Self.manyRows)
    let ranked = rows.indices.compactMap { index -> (rank: Int, index: Int)? in
      guard case .series(let identity) = rows[index].id else { return nil }
      return (state.order.ranks[identity] ?? .max, index)
    }
    return ranked.min { $0 < $1 }?.index
  }

  /// The index of a row; its previous index is tried first.
  private func index(of id: RowID?) -> Int? {
    guard let id else { return nil }
    let rows = state.content.rows
    if let known = state.content.selectedIndex, rows.indices.contains(known), rows[known].id == id {
      return known
    }
    return rows.firstIndex { $0.id == id }
  }

  /// The index of the selected row.
  var selectedIndex: Int? { index(of: state.selection) }

  /// The visible rows.
  var visibleRows: ArraySlice<LiveRow> {
    state.content.rows.dropFirst(state.offset).prefix(max(0, layout.rows.height))
  }
}
