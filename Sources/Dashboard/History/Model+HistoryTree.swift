import Aggregation
import Codecs
import History
import TerminalUI

// The rows of the tree, and of the list of looks and marks under it.
extension Model {
  mutating func refreshTree() {
    let key = HistoryContent.RowsKey(
      series: history.picture == nil ? -store.rosterVersion : history.seriesNumber,
      toggled: history.toggled, filter: history.filter, notes: notes)
    if history.content.rowsKey != key {
      history.content.rowsKey = key
      history.content.rows = treeRows
      history.content.notes = noteRows
    }
    let all = history.content.rows
    if history.row == nil || indexOfTreeRow == nil {
      history.row = history.focus.map { .node(.series($0)) } ?? all.first?.id
      if indexOfTreeRow == nil { history.row = all.first?.id ?? selectableNotes.first?.id }
    }
    let parts = historyLayout.treeParts(notes: history.content.notes.count)
    let selected = indexOfTreeRow
    history.content.selected = selected
    history.offset = Table.offset(
      showing: selected.flatMap { $0 < all.count ? $0 : nil }, of: all.count, height: parts.tree.height,
      from: history.offset)
    history.listOffset = Table.offset(
      showing: history.content.notes.firstIndex { $0.id == history.row }, of: history.content.notes.count,
      height: parts.notes.height, from: history.listOffset)
  }

  private var treeRows: [HistoryTreeRow] {
    let words = history.filter.lowercased().split(separator: " ")
    if let picture = history.picture {
      return HistoryTree(series: picture.series, toggled: history.toggled, words: words).rows
    }
    let known = store.allSeries.compactMap { store.identity(of: $0) }
    return HistoryTree(
      series: known.map { HistorySeries(identity: $0, count: 0, total: 0) }, toggled: history.toggled,
      words: words
    ).rows.map {
      HistoryTreeRow(id: $0.id, depth: $0.depth, label: $0.label, fold: $0.fold, count: nil)
    }
  }

  private var noteRows: [HistoryTreeRow] {
    func title(_ text: String) -> HistoryTreeRow {
      HistoryTreeRow(id: nil, depth: 0, label: text, fold: .leaf, count: nil)
    }
    var rows: [HistoryTreeRow] = []
    if !notes.looks.isEmpty {
      rows.append(title("Saved looks"))
      rows += notes.looks.map {
        HistoryTreeRow(id: .look($0.name), depth: 2, label: $0.name, fold: .leaf, count: nil)
      }
    }
    if !notes.marks.isEmpty {
      rows.append(title("Marks"))
      rows += notes.marks.sorted { $0.key < $1.key }.map { letter, mark in
        let time = zone.moment(mark.time, now: now)
        return HistoryTreeRow(
          id: .mark(letter), depth: 2, label: "\(letter) \(time) \(mark.text)", fold: .leaf, count: nil)
      }
    }
    return rows
  }

  /// The rows under the tree that can be selected.
  var selectableNotes: [HistoryTreeRow] { history.content.notes.filter { $0.id != nil } }

  /// The place of the selected row among those of the tree and then those under it.
  var indexOfTreeRow: Int? {
    guard let row = history.row else { return nil }
    let all = history.content.rows
    // Where it was before is looked at first: there may be many thousands.
    if let known = history.content.selected, all.indices.contains(known), all[known].id == row {
      return known
    }
    if let index = all.firstIndex(where: { $0.id == row }) { return index }
    return selectableNotes.firstIndex { $0.id == row }.map { all.count + $0 }
  }
}
