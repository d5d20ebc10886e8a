import Aggregation
import Codecs
import DashboardCore
import Platform
import TerminalUI

extension LiveScreen {
  /// The series shown by chart and comparison: the selected one, or the first under the selected row.
  var focusedRow: LiveRow? {
    guard let index = selectedIndex else { return nil }
    let rows = state.content.rows
    if rows[index].series != nil { return rows[index] }
    let depth = rows[index].depth
    return rows[(index + 1)...].prefix { $0.depth > depth }.first { $0.series != nil }
  }

  mutating func refreshFocus() {
    guard let row = focusedRow, let id = row.series, case .series(let identity) = row.id else {
      state.content.focus = nil
      return
    }
    let columns = layout.chartColumns
    let key = LiveFocus.Key(
      version: session.store.version(of: id), edge: session.edge, present: session.present,
      window: session.window, columns: columns)
    if state.content.focus?.key != key || state.content.focus?.series != id {
      let known = state.content.focus.flatMap { $0.series == id && $0.key.isAlike(key) ? $0 : nil }
      state.content.focus = focus(on: id, identity, key: key, known: known)
    } else if staleFocusDeadline.map({ $0 <= session.now }) ?? false {
      state.content.focus = focus(on: id, identity, key: key, known: nil)
    }
    // A limit may be set while the samples stay the same.
    let limit = session.drawnLimit(of: identity)
    state.content.focus?.limit = limit
  }

  /// When stale percentiles are due for recomputation.
  var staleFocusDeadline: Timestamp? {
    guard let focus = state.content.focus, focus.figuresVersion != focus.key.version else { return nil }
    return focus.figuresAt + Self.statsInterval
  }

  /// - Parameter known: Figures of the same window, valid until they are too old.
  private func focus(
    on id: SeriesID, _ identity: SeriesIdentity, key: LiveFocus.Key, known: LiveFocus?
  ) -> LiveFocus {
    let (from, to) = (key.edge - key.window, key.edge)
    var focus = known ?? LiveFocus(key: key, series: id, identity: identity)
    focus.key = key
    focus.columns = session.store.columns(of: id, from: from, to: to, count: key.columns)
    let hasNumbers = focus.columns.contains { ($0?.numbers ?? 0) > 0 }
    focus.texts =
      hasNumbers || layout[.chart].isEmpty
      ? TextColumns() : session.store.textColumns(of: id, from: from, to: to, count: key.columns)
    focus.now = session.store.samples(of: id, from: from, to: to, limit: 1).first?.value
    focus.gaps = gaps(in: focus.columns, series: id)
    focus.ahead = 0
    if !session.isFrozen, session.store.tally(of: id).end > session.clock + Session.tolerance {
      focus.ahead =
        session.store.summary(
          of: id, from: session.clock + Session.tolerance, to: Timestamp(.greatestFiniteMagnitude)
        )
        .count
    }
    let isFresh =
      known != nil && session.now >= focus.figuresAt && session.now < focus.figuresAt + Self.statsInterval
      && !session.isFrozen
    if !isFresh { addFigures(to: &focus) }
    return focus
  }

  private func addFigures(to focus: inout LiveFocus) {
    (focus.figuresAt, focus.figuresVersion) = (session.now, focus.key.version)
    focus.window = session.store.summary(
      of: focus.series, from: focus.key.edge - focus.key.window, to: focus.key.edge,
      percentiles: LiveFocus.percentiles,
      exactLimit: LiveFocus.exactLimit)
    focus.margins = margins(focus)
    focus.spreads = layout[.chart].isEmpty ? [] : spreads(focus)
    if !layout[.comparison].isEmpty { addHour(to: &focus) }
  }

  /// The spread of values over slices that begin at multiples of their length, so that they stand still.
  private func spreads(_ focus: LiveFocus) -> [LiveFocus.Spread] {
    let count = max(2, min(24, focus.key.columns / 8))
    let length = focus.key.window / Double(count)
    let (from, edge) = (focus.key.edge - focus.key.window, focus.key.edge)
    let first = from.rounded(.down, toMultipleOf: length)
    return (0...count).compactMap { index in
      let start = first + Double(index) * length
      let (low, high) = (max(start, from), min(start + length, edge))
      guard low < high else { return nil }
      let part = session.store.summary(
        of: focus.series, from: low, to: high, percentiles: ValueSpread.percentiles, exactLimit: 0)
      guard part.moments.count >= 5, let spread = ValueSpread(part.quantiles) else { return nil }
      return LiveFocus.Spread(time: low.seconds..<high.seconds, spread: spread)
    }
  }

  private func margins(_ focus: LiveFocus) -> [ClosedRange<Double>] {
    let count = focus.window.moments.count
    guard count > 0, count < LiveFocus.fewSamples else { return [] }
    let rank = 100 / Double(count)
    return LiveFocus.percentiles.compactMap { percentile in
      let near = session.store.summary(
        of: focus.series, from: focus.key.edge - focus.key.window, to: focus.key.edge,
        percentiles: [max(0, percentile - rank), min(100, percentile + rank)]
      ).quantiles
      guard let low = near.first?.value, let high = near.last?.value, low <= high else { return nil }
      return low...high
    }
  }

  private func addHour(to focus: inout LiveFocus) {
    let (id, present) = (focus.series, focus.key.present)
    let from = present - Session.reach
    func summary(to end: Timestamp) -> SeriesSummary {
      session.store.summary(
        of: id, from: from, to: end, percentiles: LiveFocus.percentiles, exactLimit: LiveFocus.exactLimit)
    }
    // If no samples precede the window, it is compared with everything there is.
    var to = min(present, focus.key.edge - focus.key.window)
    focus.hour = to > from ? summary(to: to) : SeriesSummary()
    if focus.hour.moments.count == 0 {
      to = present
      focus.hour = summary(to: to)
    }
    focus.hourEnd = to
    guard focus.hour.moments.count > 0, layout[.comparison].height > 1 else { return }
    let top =
      [focus.hour, focus.window].compactMap(\.quantiles.last?.value).max() ?? focus.hour.moments.maximum
    let least = focus.hour.moments.minimum
    let low = least > 0 && least < 0.6 * top ? 0 : least
    focus.binRange = NiceScale.range(low...max(low, top), ticks: 8).range
    let bins = max(8, layout[.comparison].width - 26)
    focus.windowBins = session.store.binCounts(
      of: id, from: focus.key.edge - focus.key.window, to: focus.key.edge, over: focus.binRange, bins: bins)
    focus.hourBins = session.store.binCounts(of: id, from: from, to: to, over: focus.binRange, bins: bins)
  }

  /// Intervals between two samples that are much longer than usual.
  func gaps(in columns: [SeriesColumn?], series id: SeriesID) -> [ClosedRange<Timestamp>] {
    let usual = session.store.typicalInterval(of: id) ?? 0
    let least = max(4 * usual, 2.5 * session.window / Double(max(1, columns.count)))
    var found: [ClosedRange<Timestamp>] = []
    var last: Timestamp?
    for column in columns.lazy.compactMap({ $0 }) {
      if let last, column.start - last > least { found.append(last...column.start) }
      last = column.end
    }
    return found
  }
}
