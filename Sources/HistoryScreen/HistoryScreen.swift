package import Aggregation
package import Codecs
package import DashboardCore
package import History
package import Platform
import TerminalUI

/// The History screen: one metric over any period of the files, down to the line of one sample.
package struct HistoryScreen: Screen {
  package static let title = ScreenTitle(name: "history", title: "History", shortTitle: "Hist")
  package var context = ScreenContext(HistoryState())

  package init() {}

  package var view: HistoryView { HistoryView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .worked, .letter, .picked: break
    case .wentToAlert(let event, let isShown): if isShown { show(event) }
    case .appeared(let subjects): appear(about: subjects)
    case .disappeared: disappear()
    case .refresh: refresh()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .sort(let name): if let order = HistoryScreen.orders[name] { sort(by: order) }
    case .resetZoom: resetZoom()
    case .nextPane(let direction):
      state.pane = paneAfter(state.pane, direction, in: layout.panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): movePlayhead(by: steps)
    case .movePlayheadFar(let direction): movePlayheadFar(direction)
    case .wheel(let rows, let position): wheel(rows, at: position)
    case .press(let position): press(position)
    case .drag(let position): drag(position)
    case .release, .focusDetails: break
    case .focusPane(let position): if let pane = pane(at: position) { state.pane = pane }
    case .edited(let line, let text):
      if line == .filter { state.rowFilter = RowFilter(text, before: state.rowFilter) }
    case .submitted(let line, let text): return submit(line, text)
    case .cancelled(let line): if line == .filter { state.filter = "" }
    }
    return []
  }

  // MARK: Facts

  package var page: Int {
    state.pane == .tree ? treeParts.tree.height : layout.tableRows
  }
  package var paneCount: Int { layout.panes.count }
  package var railWindow: Range<Timestamp> { state.window }
  package var query: HistoryQuery? { screenQuery }
  package static var asksHistory: Bool { true }
  package var subjects: [SeriesIdentity] { state.focus.map { [$0] } ?? [] }
  package var headline: ChangeEvent? {
    guard let focus = state.focus,
      let group = session.incidents.group(
        of: focus, in: state.windowSeconds, at: session.present.seconds)
    else { return nil }
    return session.marked([ChangeEvent(group, session.incidentFormatter)]).first
  }
  package var orderText: String? {
    order == .time ? nil : Self.orders.first { $0.value == order }.map { "\($0.key) first" }
  }
  package var sortNames: [String] { Self.orders.keys.sorted() }
  package var filter: RowFilter? { state.rowFilter }
  package var hasRows: Bool { !state.rows.isEmpty }
  package var copiedLines: [String]? { [paneText] }
  package var command: [String] {
    var words = snapshotWords
    if let focus = state.focus { words += ["--metric", focus.fullName] }
    if state.span != nil {
      words += ["--window", "\(windowLength)s"]
      // A window that follows the newest sample has no fixed start.
      if session.isFrozen { words += ["--from", "\(state.window.lowerBound)"] }
    }
    if !state.rowFilter.isEmpty { words += ["--where", state.rowFilter.text] }
    if order != .time, let order = Self.orders.first(where: { $0.value == order }) {
      words += ["--sort", order.key]
    }
    return words + session.chartWords
      + (session.isFrozen ? ["--at", "\(session.present)"] : [])
  }
  package var mark: (time: Timestamp, text: String) {
    (session.present, markText)
  }
  package var precision: ClockZone.Precision {
    windowLength < 10 ? .milliseconds : .seconds
  }
  package var rawLine: RawLine? { selectedLine }
  package var unknownMetric: String? { state.unknownFocus }

  // MARK: Requests

  package static func accepts(_ request: ScreenRequest) -> Bool {
    if case .samples = request { true } else { false }
  }

  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    if case .samples(let samples) = request { show(samples) }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    state.wantedFocus = arrangement.metric
    if let moment = arrangement.moment { session.freeze(at: moment) }
    guard let length = arrangement.length, length.isFinite, length > 0 else { return }
    let (span, middle) = (Self.span(length), arrangement.moment ?? session.now)
    state.span = span
    state.window = Session.range(from: arrangement.start ?? middle - span / 2, length: span)
    guard let start = arrangement.start else { return }
    // The window follows the playhead, so the playhead is placed in the requested time, as late as there is data.
    let moment = arrangement.moment ?? session.present
    session.freeze(at: max(start, min(moment, state.window.upperBound.nextDown)))
  }
}
