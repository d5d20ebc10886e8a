import Aggregation
import TerminalUI

// What the actions of the table do with rows and lists.
extension Model {
  /// Rows of a page of whatever list is in front.
  var page: Int {
    switch overlay {
    case .samples, .line, .rawSample, .rejections, .help, .picker: return max(1, size.height - 6)
    case .typing, .letter, nil:
      return max(1, pageOfScreen - 1)
    }
  }

  private var pageOfScreen: Int {
    switch screen {
    case .live: layout.rows.height
    case .history: historyPage
    case .histogram:
      histogram.look.isOverview ? overviewLayout.rows : histogramLayout.listRows(of: histogram.pane)
    case .sync: syncLayout.transitionRows
    }
  }

  /// Moves the cursor of whatever list is in front.
  mutating func moveCursor(by rows: Int) {
    switch overlay {
    case .samples(let identity, let selection):
      let count = samples(of: identity).count
      overlay = .samples(identity, selection: Self.moved(selection, by: rows, count: count))
    case .line, .rawSample, .letter: break
    case .rejections(let selection):
      let count = shown.status.rejections.count
      overlay = .rejections(selection: Self.moved(selection, by: rows, count: count))
    case .help(let query, let selection):
      let count = helpEntries(query).count
      overlay = .help(query: query, selection: Self.moved(selection, by: rows, count: count))
    case .picker(let picker, let query, let selection):
      let count = matches(picker, query.text).count
      overlay = .picker(picker, query: query, selection: Self.moved(selection, by: rows, count: count))
    case .typing, nil:
      if screen == .history { return moveHistoryCursor(by: rows) }
      if screen == .histogram { return moveHistogramCursor(by: rows) }
      if screen == .sync { return moveSyncCursor(by: rows) }
      if live.pane == .events, overlay == nil, layout.events.height > 1 { return moveEvent(by: rows) }
      moveSelection(by: rows)
    }
  }

  /// The last row; with it the newest samples.
  mutating func goToEnd() {
    moveCursor(by: .max)
    if overlay == nil { goLive() }
  }

  /// The first row.
  mutating func goToStart() { moveCursor(by: -.max) }

  static func moved(_ index: Int, by rows: Int, count: Int) -> Int {
    let (sum, overflow) = index.addingReportingOverflow(rows)
    return max(0, min(count - 1, overflow ? (rows > 0 ? count - 1 : 0) : sum))
  }

  private mutating func moveSelection(by rows: Int) {
    let all = live.content.rows
    guard !all.isEmpty else { return }
    live.selection = all[Self.moved(selectedIndex ?? 0, by: rows, count: all.count)].id
  }

  private mutating func moveEvent(by rows: Int) {
    let count = live.content.survey.events.count
    guard count > 0 else { return }
    live.eventSelection = Self.moved(live.eventSelection ?? -1, by: rows, count: count)
  }

  mutating func enter() -> [Effect] {
    if case .samples(let identity, let selection) = overlay { return findLine(identity, selection) }
    guard overlay == nil else { return [] }
    if screen == .history {
      enterHistory()
      return []
    }
    if screen == .histogram { return enterHistogram() }
    if screen == .sync { return enterSync() }
    if live.pane == .events, layout.events.height > 1 {
      openEvent()
    } else if let row = selectedIndex.map({ live.content.rows[$0] }) {
      switch row.id {
      case .bucket, .structure: fold(row.id)
      case .series(let identity): overlay = .samples(identity, selection: 0)
      }
    }
    return []
  }

  private func findLine(_ identity: SeriesIdentity, _ selection: Int) -> [Effect] {
    let samples = samples(of: identity)
    guard samples.indices.contains(selection) else { return [] }
    let sample = samples[selection]
    return [
      .findLine(
        LineQuery(identity: identity, time: sample.time, value: sample.value, selection: selection))
    ]
  }

  mutating func fold(_ id: RowID) {
    if live.folded.remove(id) == nil { live.folded.insert(id) }
    live.selection = id
  }

  private mutating func openEvent() {
    let events = live.content.survey.events
    guard let index = live.eventSelection, events.indices.contains(index) else { return }
    if events[index].kind == .file(.rejected), !shown.status.rejections.isEmpty { return showRejections() }
    guard let series = events[index].series else { return }
    select(series)
    overlay = .samples(series, selection: 0)
  }

  /// Selects a series, unfolding what hides it.
  mutating func select(_ identity: SeriesIdentity) {
    live.folded.remove(.bucket(identity.bucket))
    live.folded.remove(identity.structure)
    live.selection = .series(identity)
  }

  // MARK: Filter

  /// The words that the names of the tree must hold.
  var filter: String {
    get {
      switch screen {
      case .live: live.filter
      case .history: history.filter
      case .histogram, .sync: ""
      }
    }
    set {
      switch screen {
      case .live: live.filter = newValue
      case .history: history.filter = newValue
      case .histogram, .sync: break
      }
    }
  }

  mutating func startFilter() {
    if screen == .history { history.pane = .tree }
    overlay = .typing(.filter, Prompt(filter))
  }

  /// Goes round the rows that the filter lets through.
  mutating func nextMatch(_ direction: Int) {
    if screen == .history { return nextHistoryMatch(direction) }
    let rows = live.content.rows.filter { $0.series != nil }
    guard !rows.isEmpty else { return }
    let index = rows.firstIndex { $0.id == live.selection } ?? (direction > 0 ? -1 : 0)
    live.selection = rows[(index + direction + rows.count) % rows.count].id
  }

  // MARK: Alerts

  /// Goes to the next event that is an alert, in the order of the list, and selects what it is about.
  mutating func nextAlert(_ direction: Int) {
    let events = live.content.survey.events
    let alerts = events.indices.filter { events[$0].kind.isAlert }
    guard !alerts.isEmpty else { return }
    let current = live.eventSelection
    let next =
      direction > 0
      ? alerts.first { $0 > (current ?? -1) } ?? alerts[0]
      : alerts.last { $0 < (current ?? events.count) } ?? alerts[alerts.count - 1]
    live.eventSelection = next
    if let series = events[next].series { select(series) }
    if screen == .history { show(events[next]) }
    say("\(events[next].subject): \(events[next].text)")
  }

  mutating func showRejections() {
    overlay = .rejections(selection: max(0, shown.status.rejections.count - 1))
  }

  // MARK: Sorting

  mutating func sortNext() {
    if screen == .history { return sortHistoryNext() }
    let keys = SortKey.allCases
    let index = keys.firstIndex(of: live.sort) ?? 0
    live.sort = keys[(index + 1) % keys.count]
    live.isInverted = false
    sortOnce()
  }

  mutating func invertSort() {
    if screen == .history { return invertHistorySort() }
    live.isInverted.toggle()
    sortOnce()
  }

  /// Puts the rows in the order of the chosen column as it is now; they stay there until the next sort.
  private mutating func sortOnce() {
    live.sorts += 1
    let identities = store.allSeries.compactMap { id in store.identity(of: id).map { ($0, id) } }
    guard live.sort != .name || live.isInverted else { return live.ranks = [:] }
    let ordered: [SeriesIdentity]
    if live.sort == .name {
      ordered = LiveRows(store: store, folded: [], words: [], ranks: [:], isFlat: true).rows.reversed()
        .compactMap {
          if case .series(let identity) = $0.id { identity } else { nil }
        }
    } else {
      let values = identities.map { ($0.0, sortValue($0.1)) }
      let sign = live.isInverted ? 1.0 : -1.0
      ordered = values.sorted { a, b in
        guard let left = a.1 else { return false }
        guard let right = b.1 else { return true }
        return left != right ? sign * left < sign * right : a.0.fullName < b.0.fullName
      }.map(\.0)
    }
    live.ranks = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1, $0) })
  }

  private func sortValue(_ id: SeriesID) -> Double? {
    let (from, to) = (live.content.edge - live.window, live.content.edge)
    let summary = store.summary(of: id, from: from, to: to, percentiles: [50, 95])
    switch live.sort {
    case .name: return nil
    case .n: return summary.count > 0 ? Double(summary.count) : nil
    case .now: return summary.last ?? summary.shareOfTrue
    case .p50: return summary.quantiles.first?.value ?? summary.shareOfTrue
    case .p95: return summary.quantiles.last?.value ?? summary.shareOfTrue
    case .change:
      let hour = store.summary(of: id, from: to - LiveFocus.hourLength, to: to, percentiles: [95])
      guard let p95 = summary.quantiles.last?.value, let base = hour.quantiles.last?.value, base > 0 else {
        return nil
      }
      return p95 / base
    }
  }
}
