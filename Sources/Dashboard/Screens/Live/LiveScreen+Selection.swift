import Aggregation
import Platform
import TerminalUI

// Which row is the selected one.
extension ScreenModel where Owner == LiveScreen {
  /// The selection stays with its name; where that is gone, its bucket takes it.
  mutating func keepSelection() {
    if !session.isTouched, !state.isSettled { selectTelling() }
    let rows = state.content.rows
    var index = index(of: state.selection)
    if index == nil, !rows.isEmpty {
      let bucket = state.selection.map { RowID.bucket($0.bucket) }
      index = self.index(of: bucket) ?? tellingRow?.index ?? 0
      state.selection = index.map { rows[$0].id }
    }
    state.content.selectedIndex = index
    state.offset = Table.offset(
      showing: index, of: rows.count, height: layout.rows.height, from: state.offset)
  }

  /// Whether the list may still be put in the order of what is worst: no one has seen it settle, or it is a new list.
  var mayOrder: Bool {
    !session.isTouched
      && (!state.isSettled || state.content.rowList.key.map { $0.listing.form != .tree } != layout.isFlat)
  }

  /// Selects what tells most, so that the first picture is no empty chart.
  ///
  /// Settled once all that was there at the opening was looked at and a metric with numbers was found: a file that
  /// is still being read ends up with the same picture as one that was read before.
  private mutating func selectTelling() {
    guard let telling = tellingRow else { return }
    let isWhole = session.alerts.isOfWhole && session.knowsIncidents
    if telling.hasNumbers || !isWhole || state.selection == nil {
      state.selection = state.content.rows[telling.index].id
    }
    state.isSettled = isWhole && telling.hasNumbers
  }

  /// The first row over its limit, else above its own p95, else with numbers in the window, else with any, else any.
  private var tellingRow: (index: Int, hasNumbers: Bool)? {
    let rows = state.content.rows.prefix(Self.manyRows)
    let worst = session.worstAlert.flatMap { session.alerts.events[$0].series }
    var best: (index: Int, rank: Int)?
    for (index, row) in rows.enumerated() {
      guard let rank = rank(of: row, worst: worst) else { continue }
      if rank < best?.rank ?? .max { best = (index, rank) }
      if rank == 0 { break }
    }
    return best.map { ($0.index, $0.rank < 4) }
  }

  /// How little a row tells, from 0; `nil` for one without a series.
  private func rank(of row: LiveRow, worst: SeriesIdentity?) -> Int? {
    guard let id = row.series, case .series(let identity) = row.id else { return nil }
    if identity == worst { return 0 }
    switch session.alerts.signs[identity] {
    case .overLimit: return 0
    case .aboveOwn, .belowOwn, .otherOutcome: return 1
    case .silent, .few, .high, .low, nil: break
    }
    let tally = session.store.tally(of: id)
    guard tally.numbers > 0 else { return 4 }
    return tally.end >= session.edge - session.window ? 2 : 3
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
