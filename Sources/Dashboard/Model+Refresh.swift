import Aggregation
import Codecs
import History
import TerminalUI

extension Model {
  /// A sample further ahead of the clock than this is drawn at the edge and flagged.
  static let tolerance = 5.0

  /// Brings everything that is shown up to date with store, clock, size and what the person chose.
  mutating func refresh() {
    adoptTravelStore()
    refreshEdge()
    // Who travels through the history keeps the alerts that they left with.
    if screen == .live || !isFrozen { refreshSurvey() }
    if screen == .live {
      refreshRows()
      refreshStats()
      refreshFocus()
    }
    refreshHistory()
    refreshHistogram()
    if screen == .sync { refreshSync() }
    refreshRail()
  }

  private mutating func refreshEdge() {
    live.content.newest = newestTime
    let step = live.quantum
    switch playhead {
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
    if mayOrder { live.worst = live.content.survey.signs.mapValues(\.rawValue) }
    let key = RowsKey(
      series: store.rosterVersion, folded: live.folded, filter: live.filter, sorts: live.sorts,
      worst: live.worst,
      isFlat: layout.isFlat, isShort: layout.step >= .list)
    if live.content.rowsKey != key, !mayWait(for: key) {
      live.content.rowsKey = key
      live.content.rowsMadeAt = now
      live.content.rows =
        LiveRows(
          store: store, folded: live.folded, words: live.filter.lowercased().split(separator: " "),
          ranks: hasOwnOrder ? live.ranks : live.worst, isFlat: layout.isFlat, isShort: layout.step >= .list
        ).rows
      let repertoire = theme.capabilities.repertoire
      live.content.nameWidth = live.content.rows.reduce(0) { max($0, $1.nameWidth(repertoire)) }
    }
    keepSelection()
  }

  /// Thousands of rows are not built anew for every new series while a file is being read.
  private func mayWait(for key: RowsKey) -> Bool {
    guard var known = live.content.rowsKey, live.content.rows.count > Self.manyRows else { return false }
    known.series = key.series
    return known == key && now >= live.content.rowsMadeAt && now < live.content.rowsMadeAt + Self.rowsInterval
  }

  static let manyRows = 2000
  static let rowsInterval = 0.5

  /// When new series will get their rows.
  var staleRowsDeadline: Double? {
    live.content.rowsKey?.series == store.rosterVersion ? nil : live.content.rowsMadeAt + Self.rowsInterval
  }

  /// Whether the order is the person's; a tree that nobody sorted goes by name, a list by what is worst.
  private var hasOwnOrder: Bool { !layout.isFlat || live.sort != .name || live.isInverted }

  private mutating func refreshRail() {
    let frame = ScreenFrame(size: size)
    guard !frame.rail.isEmpty, let range = railRange else {
      return live.content.rail = RailContent()
    }
    let last = max(min(range.upperBound, now + Self.tolerance), range.lowerBound)
    let width = frame.railStrip(startWidth: railStart(range.lowerBound).count, endWidth: railEnd.count).width
    // The right end is the edge of the window while live, so that the window's bracket stands at the end.
    let end = max(last, playhead == .live ? live.content.edge : last)
    // The history is asked once for the other screens: what came since is known from the tail alone.
    let own = railStore.density
    let density =
      history.picture?.density.flatMap {
        screen == .history || screen == .histogram || $0.total >= own.total ? $0 : nil
      } ?? own
    live.content.rail = RailContent(
      first: range.lowerBound, last: end,
      counts: density.counts(from: range.lowerBound, to: end, columns: max(0, width)))
  }

  /// The stretch that the screen shows, in seconds since 2001.
  var shownWindow: Range<Double> {
    switch screen {
    case .history: return history.window
    case .histogram: return histogramWindow ?? Self.farPast..<now.nextUp
    case .live, .sync: return Self.window(from: live.content.edge - live.window, length: live.window)
    }
  }

  /// The words left of the rail.
  func railStart(_ first: Double) -> String { zone.moment(first, now: now, .minutes) }

  /// The words right of the rail: now where its strip ends with it, else when the samples end.
  var railEnd: String {
    let end = railRange?.upperBound ?? now
    let isPast = now - end > live.window
    return (isPast ? "end " : "now ") + zone.moment(isPast ? end : now, now: now, .minutes)
  }

  /// From the earliest to the latest sample of the rail, in seconds since 2001.
  ///
  /// What is shown stands still while the picture is frozen, but samples of another time are no measure for the strip.
  private var railRange: ClosedRange<Double>? { wholeRange(with: railStore) }

  private var railStore: SeriesStore { live.content.storeNumber == 0 ? shown.store : feed.store }
}
