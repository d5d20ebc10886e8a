import Aggregation
import DashboardCore
import Platform
import TerminalUI

// The actions on rows.
extension LiveScreen {
  // MARK: The rows

  mutating func refreshRows() {
    refreshOrder()
    let listingKey = ListingKey(
      store: session.storeSource, series: session.store.seriesVersion, isOwnOrder: hasOwnOrder,
      ranks: hasOwnOrder ? state.$ranks : state.order.$ranks,
      form: !layout.isFlat ? .tree : layout.step >= .list ? .shortList : .list)
    let key = RowsKey(
      listing: listingKey, folded: state.folded, filter: state.rowFilter,
      filtered: FilterMoment(state.rowFilter, present: session.present, window: session.window),
      idle: state.order.$idle, showsIdle: state.order.showsIdle,
      isCaughtUp: session.shown.status.isCaughtUp)
    if !mayWait(for: key) {
      if state.content.listing.update(for: listingKey, { [self] _ in listing(listingKey.form) }) {
        state.content.ownMetrics = session.store.metricCount.metrics - session.store.sharedSeries
      }
      let isNew = state.content.rowList.update(for: key) { [self] _ in rows }
      if isNew {
        let repertoire = session.theme.capabilities.repertoire
        state.content.rowsMadeAt = session.now
        state.content.listedMetrics = session.store.metricCount(
          of: state.content.rows.lazy.compactMap(\.series))
        state.content.nameWidth = state.content.rows.reduce(0) { max($0, $1.nameWidth(repertoire)) }
      }
    }
    keepSelection()
  }

  /// The matcher of the filter; `nil` without one.
  private var matcher: SeriesMatcher? {
    guard !state.rowFilter.isEmpty else { return nil }
    return SeriesMatcher(
      state.rowFilter.query, in: session, from: session.edge - session.window, to: session.edge)
  }

  private func listing(_ form: LiveListing.Form) -> LiveListing {
    LiveListing(
      session.store, form: form, ranks: hasOwnOrder ? state.ranks : state.order.ranks, units: session.units)
  }

  private var rows: [LiveRow] {
    session.filtered(
      by: state.rowFilter, from: session.edge - session.window, to: session.edge
    ) { matcher in
      LiveRows(
        listing: state.content.listing.value, folded: state.folded, matcher: matcher,
        idle: state.order.idle, showsIdle: state.order.showsIdle
      ).rows
    }
  }

  /// Avoids rebuilding thousands of rows for every new series while a file is being read.
  private func mayWait(for key: RowsKey) -> Bool {
    let content = state.content
    guard var known = content.rowList.key, content.rows.count > Self.manyRows else { return false }
    known.listing.series = key.listing.series
    return known == key && session.now >= content.rowsMadeAt
      && session.now < content.rowsMadeAt + Self.rowsInterval
  }

  static var manyRows: Int { 2000 }
  static var rowsInterval: Double { 0.5 }

  /// When new series get their rows.
  var staleRowsDeadline: Timestamp? {
    state.content.rowList.key?.listing.series == session.store.seriesVersion
      ? nil : state.content.rowsMadeAt + Self.rowsInterval
  }

  /// True if the user's order applies; an unsorted tree goes by name, an unsorted list by severity.
  private var hasOwnOrder: Bool { !layout.isFlat || state.sort != .unusual }

  // MARK: Moving and opening

  mutating func moveCursor(by rows: Int) {
    if state.pane == .events, session.overlay == nil, layout[.events].height > 1 {
      return moveEvent(by: rows)
    }
    moveSelection(by: rows)
  }

  mutating func moveSelection(by rows: Int) {
    let all = state.content.rows
    guard !all.isEmpty else { return }
    state.selection = all[Session.moved(selectedIndex ?? 0, by: rows, count: all.count)].id
  }

  mutating func moveEvent(by rows: Int) {
    let events = session.alerts.events
    guard !events.isEmpty else { return }
    session.alertSelection = events[Session.moved(session.alertIndex ?? -1, by: rows, count: events.count)].id
  }

  mutating func enter() {
    guard session.overlay == nil else { return }
    if state.pane == .events, layout[.events].height > 1 {
      openEvent()
    } else if let row = selectedIndex.map({ state.content.rows[$0] }) {
      switch row.id {
      case .bucket, .structure, .idle: fold(row.id)
      case .series(let identity): open(identity)
      }
    }
  }

  mutating func fold(_ id: RowID) {
    if id == .idle {
      state.order.showsIdle.toggle()
    } else if state.folded.remove(id) == nil {
      state.folded.insert(id)
    }
    state.selection = id
  }

  private mutating func openEvent() {
    let events = session.alerts.events
    guard let index = session.alertIndex else { return }
    if events[index].kind == .file(.rejected), !session.shown.status.rejections.isEmpty {
      return session.showRejections()
    }
    guard let series = events[index].series else { return }
    select(series)
    let isThere = session.visit?.event.id == events[index].id
    open(series) { if !isThere { $0.go(to: events[index]) } }
  }

  /// Opens the samples of a series in the history, or without one in a list of the samples kept in memory.
  ///
  /// - Parameter move: Moves the playhead; the way back leads to its previous position.
  private mutating func open(_ series: SeriesIdentity, moving move: (inout Session) -> Void = { _ in }) {
    guard session.history.isAvailable else { return session.overlay = .samples(series, selection: 0) }
    let ticket = returnTicket
    move(&session)
    var request = SampleRequest(series: series, ticket: ticket)
    request.window = .last(session.window)
    session.open(.samples(request))
  }

  /// Selects the subject of another screen, unless the filter hides it.
  mutating func adopt(_ identity: SeriesIdentity) {
    guard session.store.id(of: identity) != nil, matcher?.matches(identity) ?? true else { return }
    select(identity)
    state.isSettled = true
  }

  /// Selects a series, unfolding the rows that hide it.
  mutating func select(_ identity: SeriesIdentity) {
    state.folded.remove(.bucket(identity.bucket))
    state.folded.remove(identity.structure)
    if state.order.idle.contains(identity) { state.order.idle.remove(identity) }
    state.selection = .series(identity)
  }

  // MARK: Filter

  /// Cycles through the rows that pass the filter.
  mutating func nextMatch(_ direction: Int) {
    let rows = state.content.rows.filter { $0.series != nil }
    guard !rows.isEmpty else { return }
    let index = rows.firstIndex { $0.id == state.selection } ?? (direction > 0 ? -1 : 0)
    state.selection = rows[(index + direction + rows.count) % rows.count].id
  }

}
