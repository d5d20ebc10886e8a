import Aggregation
import TerminalUI

// Which row is the selected one.
extension Model {
  /// The selection stays with its name; where that is gone, its bucket takes it.
  mutating func keepSelection() {
    if !live.isTouched, !live.isSettled { selectTelling() }
    let rows = live.content.rows
    var index = index(of: live.selection)
    if index == nil, !rows.isEmpty {
      let bucket = live.selection.map { RowID.bucket($0.bucket) }
      index = self.index(of: bucket) ?? tellingRow?.index ?? 0
      live.selection = index.map { rows[$0].id }
    }
    live.content.selectedIndex = index
    live.offset = Table.offset(showing: index, of: rows.count, height: layout.rows.height, from: live.offset)
  }

  /// Whether the list may still be put in the order of what is worst: nobody has seen it settle, or it is a new list.
  var mayOrder: Bool {
    !live.isTouched && (!live.isSettled || live.content.rowsKey?.isFlat != layout.isFlat)
  }

  /// Selects what tells most, so that the first picture is no empty chart.
  ///
  /// Settled once all that was there at the opening was looked at and a metric with numbers was found: a file that
  /// is still being read ends up with the same picture as one that was read before.
  private mutating func selectTelling() {
    guard let telling = tellingRow else { return }
    let isWhole = live.content.survey.isOfWhole
    if telling.hasNumbers || !isWhole || live.selection == nil {
      live.selection = live.content.rows[telling.index].id
    }
    live.isSettled = isWhole && telling.hasNumbers
  }

  /// The first row over its limit, else above its own p95, else with numbers in the window, else with any, else any.
  private var tellingRow: (index: Int, hasNumbers: Bool)? {
    let rows = live.content.rows.prefix(Self.manyRows)
    var best: (index: Int, rank: Int)?
    for (index, row) in rows.enumerated() {
      guard let rank = rank(of: row) else { continue }
      if rank < best?.rank ?? .max { best = (index, rank) }
      if rank == 0 { break }
    }
    return best.map { ($0.index, $0.rank < 4) }
  }

  /// How little a row tells, from 0; `nil` for one without a series.
  private func rank(of row: LiveRow) -> Int? {
    guard let id = row.series, case .series(let identity) = row.id else { return nil }
    switch live.content.survey.signs[identity] {
    case .overLimit: return 0
    case .aboveOwn: return 1
    case .silent, .few, nil: break
    }
    let tally = store.tally(of: id)
    guard tally.numbers > 0 else { return 4 }
    return tally.lastTime >= live.content.start(window: live.window) ? 2 : 3
  }

  /// The place of a row; where it was before is looked at first.
  private func index(of id: RowID?) -> Int? {
    guard let id else { return nil }
    let rows = live.content.rows
    if let known = live.content.selectedIndex, rows.indices.contains(known), rows[known].id == id {
      return known
    }
    return rows.firstIndex { $0.id == id }
  }

  /// The place of the selected row.
  var selectedIndex: Int? { index(of: live.selection) }

  /// The rows on the screen.
  var visibleRows: ArraySlice<LiveRow> {
    live.content.rows.dropFirst(live.offset).prefix(max(0, layout.rows.height))
  }
}
