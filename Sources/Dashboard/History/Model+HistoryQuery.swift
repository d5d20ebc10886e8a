import Aggregation
package import History
import TerminalUI

// What is to be asked about the history.
extension Model {
  /// Rows beyond those that are seen, so that scrolling by a few asks nothing.
  static let pageMargin = 40
  /// How far back the panes of the Live screen look, in seconds.
  static let liveReach = LiveFocus.hourLength

  /// What the screen wants to know of the history; `nil` where the live samples tell it all.
  package var historyQuery: HistoryQuery? {
    guard history.isAvailable, !history.isGivenUp else { return nil }
    switch screen {
    case .live, .sync: return travelQuery ?? rangeQuery
    case .history: return screenQuery
    case .histogram: return histogramQuery
    }
  }

  /// Effects that bring the answers up to date.
  mutating func ask() -> [Effect] {
    let isStale = staleAnswerDeadline.map { $0 <= now || $0 > now + Self.askInterval } ?? false
    if isStale { histogram.wantsWhole = true }
    guard let query = historyQuery, query != history.asked || isStale else { return [] }
    (history.asked, history.askedVersion, history.askedAt) = (query, history.version, now)
    history.askedRecorded = feed.store.recorded
    return [.ask(query)]
  }

  private var screenQuery: HistoryQuery {
    let layout = historyLayout
    let wantsDetail = history.focus != nil && (!layout.detail.isEmpty || overlay == .rawSample)
    var query = HistoryQuery(
      window: history.window, focus: history.focus, narrowed: history.narrowed, columns: layout.chartColumns,
      playhead: live.content.edge, page: pageQuery(layout), wantsDetail: wantsDetail)
    if !wantsDetail, history.cursor.anchor != .playhead { query.playhead = history.window.upperBound }
    query.selection = selectedRange
    query.filter = history.sampleFilter
    if !wantsDetail, let page = reusablePage(for: query) { query.page = page }
    return query
  }

  private func pageQuery(_ layout: HistoryLayout) -> HistoryPageQuery {
    let reach = layout.tableRows + Self.pageMargin
    return HistoryPageQuery(
      order: history.order, anchor: history.cursor.anchor, before: reach, after: reach)
  }

  /// The page that was asked last, while it holds what is seen with room on both sides.
  private func reusablePage(for query: HistoryQuery) -> HistoryPageQuery? {
    guard let asked = history.asked, let picture = history.picture, let index = selectedSample,
      picture.query == asked, history.version == history.askedVersion, asked.window == query.window,
      asked.focus == query.focus, asked.narrowed == query.narrowed, asked.page.order == query.page.order,
      asked.page.before == query.page.before, asked.filter == query.filter
    else { return nil }
    let page = picture.page
    let room = historyLayout.tableRows
    let isFarFromTop = page.first == 0 || index >= room
    let isFarFromEnd = page.first + page.rows.count >= page.total || page.rows.count - index > room
    return isFarFromTop && isFarFromEnd ? asked.page : nil
  }

  /// A file that grows all the time is asked about so many seconds apart.
  static let askInterval = 1.0

  /// When the same question will be asked again because the files grew.
  ///
  /// Not on the Live screen: what it asks is of the past, which stays as it was.
  var staleAnswerDeadline: Double? {
    guard screen == .history || screen == .histogram, history.asked != nil else { return nil }
    // The question about a histogram does not change with the clock, so the tail tells that there is more.
    let hasGrown = screen == .histogram && !isFrozen && feed.store.recorded != history.askedRecorded
    guard history.version != history.askedVersion || hasGrown else { return nil }
    return history.askedAt + Self.askInterval
  }

  /// How far the history reaches, for the rail: asked once, when the feed has left the cores.
  private var rangeQuery: HistoryQuery? {
    guard history.picture == nil, feed.status.isLoaded, history.asked == nil || history.asked?.columns == 0
    else { return nil }
    return history.asked ?? HistoryQuery(window: now - 1..<now, playhead: now)
  }

  /// What the Histogram screen needs: the whole of a series first, then a short stretch of it more closely.
  private var histogramQuery: HistoryQuery {
    var wanted = HistogramQuery()
    if case .series(let series) = histogram.subject { wanted.series = series }
    wanted.wantsPayloads = mayHavePayloads
    wanted.window = closeWindow
    return HistoryQuery(window: 0..<1, playhead: 0, histogram: wanted)
  }

  /// The range, where the slots of the whole would tell it too roughly.
  private var closeWindow: Range<Double>? {
    guard case .series(let series) = histogram.subject, let whole = histogram.cube, whole.series == series,
      !histogram.wantsWhole
    else { return nil }
    let choices = [histogram.look.a, histogram.look.b].compactMap { choice -> Range<Double>? in
      if case .window(let window) = choice { window } else { nil }
    }
    let most = Self.fewSlots * whole.cube.step
    let short = ([wantedWindow].compactMap { $0 } + choices).filter {
      $0.lowerBound > Self.farPast && $0.upperBound - $0.lowerBound < most
    }
    guard let first = short.first else { return nil }
    // Both sides at once, where they lie near to one another.
    let hull = short.dropFirst().reduce(first) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    return hull.upperBound - hull.lowerBound < 2 * most ? hull : first
  }

  /// A range of fewer slots than this is read anew.
  private static let fewSlots = 32.0

  // MARK: Travelling on the Live screen

  /// What the Live screen needs where it stands before what is kept one by one.
  private var travelQuery: HistoryQuery? {
    guard case .frozen(let moment) = playhead else { return nil }
    let reach = max(live.window, Self.liveReach)
    guard isBeforeLiveSamples(moment - reach) else { return nil }
    return HistoryQuery(
      window: moment - live.window..<moment.nextUp, columns: 0, playhead: moment, storeSpan: reach)
  }

  /// Whether the live samples do not tell all of what was from this moment on.
  private func isBeforeLiveSamples(_ moment: Double) -> Bool {
    guard let range = feed.store.timeRange else { return true }
    if let whole = history.picture?.range, whole.upperBound < moment { return false }
    if feed.store.rolledUp > 0 || !feed.status.isLoaded { return moment < range.upperBound }
    let first = history.picture?.range?.lowerBound ?? -.infinity
    return range.lowerBound > max(first, moment)
  }

  /// Shows the samples that the history has found for the moment.
  mutating func adoptTravelStore() {
    guard case .frozen(let moment) = playhead, let picture = history.picture, let store = picture.store,
      picture.query.playhead == moment, let span = picture.query.storeSpan, span >= live.window
    else { return }
    guard live.content.storeNumber != history.pictureNumber else { return }
    shown.store = store
    live.content.forgetStore(number: history.pictureNumber)
  }

  /// Shows what was read last.
  mutating func showFeed() {
    shown = feed
    if live.content.storeNumber != 0 { live.content.forgetStore(number: 0) }
  }
}

extension LiveContent {
  /// Drops what was computed from another store: the numbers of its series mean others now.
  mutating func forgetStore(number: Int) {
    storeNumber = number
    (stats, focus, rowsKey) = ([:], nil, nil)
    let isOfWhole = survey.isOfWhole
    survey = Survey()
    survey.isOfWhole = isOfWhole
  }
}
