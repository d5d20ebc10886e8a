import Aggregation
import TerminalUI

extension Model {
  /// A sample further ahead of the clock than this is drawn at the edge and flagged.
  static let tolerance = 5.0

  /// Brings everything that is shown up to date with store, clock, size and what the person chose.
  mutating func refresh() {
    refreshEdge()
    refreshSurvey()
    refreshRows()
    refreshStats()
    refreshFocus()
    refreshRail()
  }

  private mutating func refreshEdge() {
    live.content.newest = newestTime
    let step = live.quantum
    switch live.playhead {
    case .frozen(let moment): live.content.edge = moment
    case .live:
      let newest = live.content.newest ?? now
      // Where all windows would be empty the last one that has samples is shown.
      let moment = now - newest <= live.window ? now : newest
      live.content.edge = (moment / step).rounded(.up) * step
    }
  }

  /// The newest sample's time, those ahead of the clock left out.
  private var newestTime: Double? {
    var newest: Double?
    var ahead = false
    for id in store.allSeries {
      let tally = store.tally(of: id)
      guard tally.count > 0 else { continue }
      if tally.lastTime > now + Self.tolerance {
        ahead = true
      } else {
        newest = max(newest ?? tally.lastTime, tally.lastTime)
      }
    }
    return newest ?? (ahead ? now : nil)
  }

  private mutating func refreshRows() {
    let key = RowsKey(
      series: store.count, folded: live.folded, filter: live.filter, ranks: live.ranks.hashValue,
      isFlat: layout.isFlat, isShort: layout.step >= .list)
    if live.content.rowsKey != key {
      live.content.rowsKey = key
      live.content.rows =
        LiveRows(
          store: store, folded: live.folded, words: live.filter.lowercased().split(separator: " "),
          ranks: hasOwnOrder ? live.ranks : worstFirst, isFlat: layout.isFlat, isShort: layout.step >= .list
        ).rows
    }
    keepSelection()
  }

  /// Whether the order is the person's; a tree that nobody sorted goes by name, a list by what is worst.
  private var hasOwnOrder: Bool { !layout.isFlat || live.sort != .name || live.isInverted }

  /// The series with a sign before all others.
  private var worstFirst: [SeriesIdentity: Int] { live.content.survey.signs.mapValues(\.rawValue) }

  /// The selection stays with its name; where that is gone, the nearest row above takes it.
  private mutating func keepSelection() {
    let rows = live.content.rows
    if live.selection == nil || !rows.contains(where: { $0.id == live.selection }) {
      let hidden = live.selection.flatMap { selected in rows.first { $0.id == .bucket(selected.bucket) } }
      let worst = worstFirst.min { ($0.value, $0.key.fullName) < ($1.value, $1.key.fullName) }?.key
      let first =
        rows.first { $0.id == worst.map(RowID.series) } ?? rows.first { $0.series != nil } ?? rows.first
      if let chosen = hidden ?? first, !rows.isEmpty { live.selection = chosen.id }
    }
    live.offset = Table.offset(
      showing: selectedIndex, of: rows.count, height: layout.rows.height, from: live.offset)
  }

  /// The place of the selected row.
  var selectedIndex: Int? { live.content.rows.firstIndex { $0.id == live.selection } }

  /// The rows on the screen.
  var visibleRows: ArraySlice<LiveRow> {
    live.content.rows.dropFirst(live.offset).prefix(max(0, layout.rows.height))
  }

  private mutating func refreshStats() {
    var kept: [SeriesID: CachedStats] = [:]
    let columns = layout.sparkWidth
    var shown = Array(visibleRows)
    if shown.isEmpty, let row = focusedRow { shown = [row] }
    for row in shown {
      guard let id = row.series else { continue }
      let key = CachedStats.Key(
        version: store.version(of: id), edge: live.content.edge, window: live.window, columns: columns)
      if let known = live.content.stats[id], known.key == key {
        kept[id] = known
      } else {
        kept[id] = CachedStats(key: key, stats: stats(of: id, columns: columns))
      }
    }
    live.content.stats = kept
  }

  /// The figures of one series in the window.
  func stats(of id: SeriesID, columns: Int) -> RowStats {
    let (from, to) = (live.content.edge - live.window, live.content.edge)
    var stats = RowStats()
    stats.summary = store.summary(of: id, from: from, to: to, percentiles: [50, 95])
    stats.isAhead = !isFrozen && store.tally(of: id).lastTime > now + Self.tolerance
    let newest = stats.isAhead ? store.samples(of: id, from: to, to: .infinity, limit: 1).first : nil
    stats.now = (newest ?? store.samples(of: id, from: from, to: to, limit: 1).first)?.value
    if stats.now == nil, let last = stats.summary.last { stats.now = .number(last) }
    let hasNumbers = stats.summary.moments.count > 0 || stats.summary.shareOfTrue != nil
    stats.spark = store.columns(of: id, from: from, to: to, count: columns).map { column in
      hasNumbers ? column?.mean : column.map { Double($0.count) }
    }
    return stats
  }

  private mutating func refreshRail() {
    guard !layout.rail.isEmpty, let range = store.timeRange else { return live.content.rail = RailContent() }
    let last = max(min(range.upperBound, now + Self.tolerance), range.lowerBound)
    let width = layout.railStrip(startWidth: railStart(range.lowerBound).count, endWidth: railEnd.count).width
    // The right end is the edge of the window while live, so that the window's bracket stands at the end.
    let end = max(last, live.playhead == .live ? live.content.edge : last)
    live.content.rail = RailContent(
      first: range.lowerBound, last: end,
      counts: store.density.counts(from: range.lowerBound, to: end, columns: max(0, width)))
  }

  /// The words left of the rail.
  func railStart(_ first: Double) -> String { zone.moment(first, now: now, .minutes) }

  /// The words right of the rail.
  var railEnd: String {
    guard case .live = live.playhead else { return "now " + zone.time(now, .minutes) }
    let isPast = live.content.newest.map { now - $0 > live.window } ?? false
    let moment = isPast ? live.content.edge : now
    return (isPast ? "end " : "now ") + zone.moment(moment, now: now, .minutes)
  }
}
