import DashboardCore
import History
import Platform

// The visible time range, and the query for it.
extension HostsScreen {
  /// Maximum number of hosts listed.
  private static let limit = 2000
  /// The step of the moment from which hosts count as silent in the order, so that the query stays the same meanwhile.
  private static let silenceStep = 5.0

  var layout: HostsLayout { HostsLayout(size: session.size) }

  private var windowLength: Double { state.window.upperBound - state.window.lowerBound }

  /// The whole range of the files, in which the few samples far from all others are left out.
  private var wholeRange: ClosedRange<Timestamp> {
    let edge = session.present
    let range = session.mainRange ?? edge - Session.usualWindow...edge
    let last = max(min(range.upperBound, max(session.clock + Session.tolerance, edge)), edge)
    return min(range.lowerBound, edge)...last
  }

  private var wholeLength: Double { wholeRange.upperBound - wholeRange.lowerBound }

  /// The chosen length of the window in seconds; `nil` for the whole range.
  private var chosenLength: Double? {
    guard case .length(let length) = session.zoom, length < wholeLength else { return nil }
    return length
  }

  /// True if the window covers all samples.
  var isWhole: Bool { chosenLength == nil && !session.isFrozen }

  mutating func refreshWindow() {
    let edge = session.present
    let end = chosenLength == nil ? wholeRange.upperBound : edge
    let length = chosenLength ?? wholeLength
    let step = step(for: length)
    let last = session.isFrozen && chosenLength != nil ? end.nextUp : end.nextMultiple(of: step)
    let first = (end - length).rounded(.down, toMultipleOf: step)
    state.window = Session.range(from: first, length: last - first)
  }

  /// A power of two in seconds, for which all steps of a window fit the heat map.
  private func step(for length: Double) -> Double {
    let columns = Double(max(1, layout.heatColumns - 2))
    let least = max(length / columns, session.present.seconds.ulp * 4, 1.0 / 4096)
    return least.binade < least ? least.binade * 2 : least.binade
  }

  mutating func movePlayhead(by steps: Int) {
    session.movePlayhead(to: session.present + Double(steps) * step(for: windowLength))
  }

  /// The zoom after a step in or out; `nil` if there is none.
  func zoomed(_ direction: Int) -> Session.Zoom? {
    let whole = wholeLength
    let lengths = Session.windows.filter { $0 < whole }
    if direction < 0 { return lengths.last { $0 < chosenLength ?? whole }.map(Session.Zoom.length) }
    guard let length = chosenLength else { return nil }
    return lengths.first { $0 > length }.map(Session.Zoom.length) ?? .usual
  }

  mutating func zoom(_ direction: Int) { if let zoom = zoomed(direction) { session.zoom = zoom } }

  // MARK: The query

  var screenQuery: HistoryQuery {
    var query = HistoryQuery(
      window: state.window, focus: state.focus, columns: layout.heatColumns, playhead: state.window.upperBound
    )
    query.hosts = HostsQuery(limit: Self.limit, cells: wantedCells)
    // Files that ended long ago get the same query again.
    if !session.isFrozen, session.hasRecentSamples {
      query.hosts?.silentBefore = (session.clock - HostSilence.least).rounded(
        .down, toMultipleOf: Self.silenceStep)
    }
    return query
  }

  /// The places of the visible rows with a page before and after them, so that scrolling by a few needs no query.
  private var wantedCells: Range<Int> {
    let page = max(1, layout.tableRows)
    let places = state.rows.dropFirst(state.offset).prefix(page).map(\.place)
    let (first, last) = ((places.min() ?? 0) / page, (places.max() ?? page - 1) / page)
    return max(0, first - 1) * page..<(last + 2) * page
  }
}
