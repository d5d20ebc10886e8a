import Aggregation
import DashboardCore
import Platform

extension LiveScreen {
  /// Minimum seconds between two computations of percentiles while samples arrive; values follow at once.
  static var statsInterval: Double { 0.25 }

  mutating func refreshStats() {
    if state.content.storeSource != session.storeSource {
      // The numbers of the series mean something else now.
      (state.content.stats, state.content.focus, state.content.pins) = ([:], nil, [:])
      state.content.storeSource = session.storeSource
    }
    var kept: [SeriesID: CachedStats] = [:]
    let columns = layout.sparkWidth
    var shown = Array(visibleRows)
    if shown.isEmpty, let row = focusedRow { shown = [row] }
    let (reader, known) = (RowReader(self), state.content.stats)
    let key = CachedStats.Key(edge: session.edge, window: session.window, columns: columns)
    for id in shown.lazy.compactMap(\.series) {
      kept[id] = reader.compared(reader.refreshed(known[id], of: id, key: key), known[id], of: id)
    }
    state.content.stats = kept
  }

  /// When stale figures are due for recomputation.
  var staleStatsDeadline: Timestamp? {
    // Copied out of the model first: a closure over the model would copy all of it.
    let (store, stats) = (session.store, state.content.stats)
    var deadline: Timestamp?
    for (id, known) in stats where known.version != store.version(of: id) {
      deadline = min(deadline ?? .distantFuture, known.madeAt + Self.statsInterval)
    }
    return deadline
  }

  /// The figures of one series in the window.
  func stats(of id: SeriesID, columns: Int) -> RowStats { RowReader(self).stats(of: id, columns: columns) }

  /// The newest value of the window; while live, a value ahead of the clock counts as the newest.
  func lastValue(of id: SeriesID, isAhead: Bool) -> SeriesValue? {
    RowReader(self).lastValue(of: id, isAhead: isAhead)
  }
}

/// Reads the figures of rows from a session that is copied out of the screen once for all rows.
struct RowReader {
  private let session: Session
  private let percentiles: [Double]

  init(_ screen: LiveScreen) {
    session = screen.session
    let hasP99 = screen.layout.columns.contains(.p99)
    percentiles = hasP99 ? RowStats.percentiles : Array(RowStats.percentiles.prefix(2))
  }

  /// The figures with their usual range, which is updated every ten seconds.
  func compared(_ stats: CachedStats, _ known: CachedStats?, of id: SeriesID) -> CachedStats {
    let end = session.present.rounded(.up, toMultipleOf: UsualRange.step)
    let start = session.store.tally(of: id).start
    var stats = stats
    (stats.usualEdge, stats.usualStart) = (end, start)
    if let known, known.usualEdge == end, known.usualStart == start, known.key.window == stats.key.window {
      stats.stats.usual = known.stats.usual
    } else {
      stats.stats.usual = UsualRange(of: id, in: session.store, before: end)
    }
    return stats
  }

  /// The known figures if nothing changed, with only a new last value if they are recent, otherwise recomputed.
  func refreshed(_ known: CachedStats?, of id: SeriesID, key: CachedStats.Key) -> CachedStats {
    let version = session.store.version(of: id)
    guard var known, known.key == key else {
      return CachedStats(
        key: key, version: version, madeAt: session.now, stats: stats(of: id, columns: key.columns))
    }
    if known.version == version { return known }
    guard session.now >= known.madeAt, session.now < known.madeAt + LiveScreen.statsInterval,
      !session.isFrozen
    else {
      return CachedStats(
        key: key, version: version, madeAt: session.now, stats: stats(of: id, columns: key.columns))
    }
    known.stats.now = lastValue(of: id, isAhead: known.stats.isAhead)
    return known
  }

  /// The figures of one series in the window.
  func stats(of id: SeriesID, columns: Int) -> RowStats {
    let (from, to) = (session.edge - session.window, session.edge)
    var stats = RowStats()
    stats.summary = session.store.summary(
      of: id, from: from, to: to, percentiles: percentiles)
    stats.isAhead =
      !session.isFrozen && session.store.tally(of: id).end > session.clock + Session.tolerance
    stats.now = lastValue(of: id, isAhead: stats.isAhead)
    if stats.now == nil, let last = stats.summary.last { stats.now = .number(last) }
    let hasNumbers = stats.summary.moments.count > 0 || stats.summary.shareOfTrue != nil
    stats.spark = session.store.columns(of: id, from: from, to: to, count: columns).map { column in
      hasNumbers ? column?.mean : column.map { Double($0.count) }
    }
    return stats
  }

  /// The newest value of the window; while live, a value ahead of the clock counts as the newest.
  func lastValue(of id: SeriesID, isAhead: Bool) -> SeriesValue? {
    let (from, to) = (session.edge - session.window, session.edge)
    let end = isAhead ? .distantFuture : to
    return session.store.samples(of: id, from: from, to: end, limit: 1).first?.value
  }
}
