package import Aggregation
package import DashboardCore
package import History
package import Platform

/// The Hosts screen: all hosts by one metric, the oddest first, each with its course beside the fleet's.
package struct HostsScreen: Screen {
  package static let title = ScreenTitle(name: "hosts", title: "Hosts", shortTitle: "Hosts")
  package var context = ScreenContext(HostsState())

  package init() {}

  package var view: HostsView { HostsView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered: adoptAnswer()
    case .appeared(let subjects): appear(about: subjects)
    case .wentToAlert(let event, _): if let series = event.series { focus(on: [series]) }
    case .refresh: refresh()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .resetZoom: session.zoom = .usual
    case .movePlayhead(let steps): movePlayhead(by: steps)
    case .movePlayheadFar(let direction): movePlayhead(by: 10 * direction)
    case .wheel(let rows, _): moveCursor(by: rows)
    case .press(let position): press(position)
    case .edited(let line, let text):
      if line == .filter { state.rowFilter = RowFilter(text, before: state.rowFilter, knowing: []) }
    case .submitted(let line, _): if line == .filter { session.closeFilter(state.rowFilter) }
    case .cancelled(let line): if line == .filter { state.rowFilter = RowFilter() }
    case .filesGrew, .worked, .disappeared, .sort, .nextPane, .toggleMaximised, .release,
      .focusPane, .focusDetails, .drag, .letter, .picked:
      break
    }
    return []
  }

  /// Clears the filter, or else widens all screens to all hosts.
  ///
  /// - Returns: true if there was anything to undo.
  package mutating func stepBack() -> Bool {
    if !state.rowFilter.isEmpty {
      state.rowFilter = RowFilter()
    } else if session.scope != .all {
      widen()
    } else {
      return false
    }
    return true
  }

  // MARK: Facts

  package var page: Int { layout.tableRows }
  package var railWindow: Range<Timestamp> { state.window }
  package var query: HistoryQuery? { screenQuery }
  package static var asksHistory: Bool { true }
  package var isAgedBySamples: Bool { !session.isFrozen }
  /// All hosts are listed, even while the other screens are narrowed to one.
  package var isNarrowed: Bool { false }
  package var deadline: Timestamp? { state.silence.deadline }
  package var subjects: [SeriesIdentity] { state.focus.map { [$0] } ?? [] }
  package var filter: RowFilter? { state.rowFilter }
  package var hasRows: Bool { !state.rows.isEmpty }
  package var unknownMetric: String? { state.unknownFocus }
  package var command: [String] {
    var words = snapshotWords
    if let focus = state.focus { words += ["--metric", focus.fullName] }
    if case .length(let length) = session.zoom { words += ["--window", "\(length)s"] }
    return words + (session.isFrozen ? ["--at", "\(session.present)"] : [])
  }

  // MARK: Requests

  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    guard case .back(let ticket) = request else { return [] }
    switch ticket.playhead {
    case .live: if session.isFrozen { session.goLive() }
    case .frozen(let moment): session.movePlayhead(to: moment)
    }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    state.wantedFocus = arrangement.metric
    if let moment = arrangement.moment { session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { session.zoom = .length(length) }
  }
}
