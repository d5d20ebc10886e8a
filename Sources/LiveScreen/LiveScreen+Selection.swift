import Aggregation
import DashboardCore
import Platform
import TerminalUI

// Which row is the selected one.
extension LiveScreen {
  /// The selection stays with its name; where that is gone, its bucket takes it.
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

  /// True if the list may still be put in the order of what is worst: no one has seen it settle, or it is a new list.
  var mayOrder: Bool {
    !session.isTouched
      && (!state.isSettled || state.content.rowList.key.map { $0.listing.form != .tree } != layout.isFlat)
  }

  /// Selects the worst row, which is the first one of a list that no one sorted.
  ///
  /// Settled once all that was there at the opening was looked at and a metric with numbers was found: a file that
  /// is still being read ends up with the same picture as one that was read before.
  private mutating func selectWorst() {
    guard let worst = worstRow else { return }
    state.selection = state.content.rows[worst].id
    state.isSettled = session.alerts.isOfWhole && session.knowsIncidents && hasNumbers
  }

  private var hasNumbers: Bool {
    state.content.rows.contains { row in row.series.map { session.store.tally(of: $0).numbers > 0 } ?? false }
  }

  /// The place of the row that is worst by the order of severity; where nothing is wrong, of the first metric.
  private var worstRow: Int? {
    let rows = state.content.rows.prefix(Self.manyRows)
    let ranked = rows.indices.compactMap { index -> (rank: Int, index: Int)? in
      guard case .series(let identity) = rows[index].id else { return nil }
      return (state.order.ranks[identity] ?? .max, index)
    }
    return ranked.min { $0 < $1 }?.index
  }

  /// The place of a row; where it was before is looked at first.
  private func index(of id: RowID?) -> Int? {
    guard let id else { return nil }
    let rows = state.content.rows
    if let known = state.content.selectedIndex, rows.indices.contains(known), rows[known].id == id {
      return known
    }
    return rows.firstIndex { $0.id == id }
  }

  /// The place of the selected row.
  var selectedIndex: Int? { index(of: state.selection) }

  /// The rows on the screen.
  var visibleRows: ArraySlice<LiveRow> {
    state.content.rows.dropFirst(state.offset).prefix(max(0, layout.rows.height))
  }
}
