import Aggregation
import Platform
import TerminalUI

// What the actions do with the rows.
extension ScreenModel where Owner == LiveScreen {
  // MARK: The rows

  mutating func refreshRows() {
    if mayOrder { state.worst = session.alerts.signs.mapValues(\.rawValue) }
    let key = RowsKey(
      store: session.storeNumber, series: session.store.seriesVersion, folded: state.folded,
      filter: state.filter, sorts: state.sorts, worst: state.worst, isFlat: layout.isFlat,
      isShort: layout.step >= .list)
    if !mayWait(for: key) {
      let isNew = state.content.rowList.update(for: key) { [self] _ in rows(for: key) }
      if isNew {
        let repertoire = session.theme.capabilities.repertoire
        state.content.rowsMadeAt = session.now
        state.content.nameWidth = state.content.rows.reduce(0) { max($0, $1.nameWidth(repertoire)) }
      }
    }
    keepSelection()
  }

  private func rows(for key: RowsKey) -> [LiveRow] {
    LiveRows(
      store: session.store, folded: state.folded, words: state.filter.lowercased().split(separator: " "),
      ranks: hasOwnOrder ? state.ranks : state.worst, isFlat: key.isFlat, isShort: key.isShort
    ).rows
  }

  /// Thousands of rows are not built again for every new series while a file is being read.
  private func mayWait(for key: RowsKey) -> Bool {
    let content = state.content
    guard var known = content.rowList.key, content.rows.count > Self.manyRows else { return false }
    known.series = key.series
    return known == key && session.now >= content.rowsMadeAt
      && session.now < content.rowsMadeAt + Self.rowsInterval
  }

  static var manyRows: Int { 2000 }
  static var rowsInterval: Double { 0.5 }

  /// When new series will get their rows.
  var staleRowsDeadline: Timestamp? {
    state.content.rowList.key?.series == session.store.seriesVersion
      ? nil : state.content.rowsMadeAt + Self.rowsInterval
  }

  /// Whether the order is the person's; a tree that no one sorted goes by name, a list by what is worst.
  private var hasOwnOrder: Bool { !layout.isFlat || state.sort != .name || state.isInverted }

  // MARK: Moving and opening

  mutating func moveCursor(by rows: Int) {
    if state.pane == .events, session.overlay == nil, layout.events.height > 1 { return moveEvent(by: rows) }
    moveSelection(by: rows)
  }

  private mutating func moveSelection(by rows: Int) {
    let all = state.content.rows
    guard !all.isEmpty else { return }
    state.selection = all[Session.moved(selectedIndex ?? 0, by: rows, count: all.count)].id
  }

  private mutating func moveEvent(by rows: Int) {
    let count = session.alerts.events.count
    guard count > 0 else { return }
    session.alertSelection = Session.moved(session.alertSelection ?? -1, by: rows, count: count)
  }

  mutating func enter() {
    guard session.overlay == nil else { return }
    if state.pane == .events, layout.events.height > 1 {
      openEvent()
    } else if let row = selectedIndex.map({ state.content.rows[$0] }) {
      switch row.id {
      case .bucket, .structure: fold(row.id)
      case .series(let identity): session.overlay = .samples(identity, selection: 0)
      }
    }
  }

  mutating func fold(_ id: RowID) {
    if state.folded.remove(id) == nil { state.folded.insert(id) }
    state.selection = id
  }

  private mutating func openEvent() {
    let events = session.alerts.events
    guard let index = session.alertSelection, events.indices.contains(index) else { return }
    if events[index].kind == .file(.rejected), !session.shown.status.rejections.isEmpty {
      return session.showRejections()
    }
    guard let series = events[index].series else { return }
    select(series)
    session.overlay = .samples(series, selection: 0)
  }

  /// Selects a series, unfolding what hides it.
  mutating func select(_ identity: SeriesIdentity) {
    state.folded.remove(.bucket(identity.bucket))
    state.folded.remove(identity.structure)
    state.selection = .series(identity)
  }

  // MARK: Filter

  /// Goes round the rows that the filter lets through.
  mutating func nextMatch(_ direction: Int) {
    let rows = state.content.rows.filter { $0.series != nil }
    guard !rows.isEmpty else { return }
    let index = rows.firstIndex { $0.id == state.selection } ?? (direction > 0 ? -1 : 0)
    state.selection = rows[(index + direction + rows.count) % rows.count].id
  }

}
