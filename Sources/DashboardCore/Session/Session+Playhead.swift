package import Aggregation
import Codecs
package import History
package import Platform
import TerminalUI

// The playhead, shared by all screens.
extension Session {
  package mutating func toggleFreeze() {
    if isFrozen { return goLive() }
    freeze(at: present)
  }

  package mutating func goLive() {
    if isFrozen { tellIncidents(since: frozenAt) }
    (alertSelection, visit) = (nil, nil)
    playhead = .live
    showFeed()
    destination = .live
  }

  /// Records that the user is present; after an absence they are told what they missed.
  package mutating func noteInput() {
    if now - lastInput >= Self.absence { tellIncidents(since: lastInput) }
    lastInput = now
  }

  /// Reports how many incidents began while the user was away.
  package mutating func tellIncidents(since moment: Timestamp) {
    let count = incidents.count(since: moment)
    guard count > 0 else { return }
    showToast("\(count) incident\(count == 1 ? "" : "s") while you were away: e goes there")
  }

  /// Freezes at a moment; the shown data stays as it is.
  package mutating func freeze(at moment: Timestamp) {
    // Moving elsewhere leaves the event.
    if moment != present { (alertSelection, visit) = (nil, nil) }
    if !isFrozen { (recordedAtFreeze, frozenAt) = (feed.store.recorded, now) }
    playhead = .frozen(moment)
  }

  /// Moves to a moment, clamped to the known range.
  package mutating func movePlayhead(to moment: Timestamp) {
    guard let range = knownRange else { return }
    freeze(at: max(range.lowerBound, min(moment, max(now, range.upperBound))))
    // Moving shows the data that arrived meanwhile; standing still does not.
    showFeed()
    destination = playhead
  }

  // MARK: Going to a moment

  /// Goes to the moment that was typed; invalid text stays in the prompt for correction.
  package mutating func goTo(_ text: String) {
    let zone = zone
    let context = MomentParser.Context(
      now: now, playhead: present, latest: max(now, knownRange?.upperBound ?? .distantPast),
      offset: { zone.offset(at: $0) })
    switch MomentParser.meaning(text, in: context) {
    case .live:
      overlay = nil
      goLive()
    case .moment(let moment):
      overlay = nil
      movePlayhead(to: moment)
      if case .frozen(let reached) = playhead, reached != moment {
        showToast(
          "The history \(reached > moment ? "begins" : "ends") at \(zone.moment(reached, now: now))"
        )
      }
    case nil: showToast("Not a time: try \(MomentParser.expected)")
    }
  }

  // MARK: Marks and alerts

  package mutating func startLetter(_ use: LetterUse) { overlay = .letter(use) }

  package mutating func startPicker(_ picker: Picker) {
    overlay = .picker(picker, query: Prompt(), selection: 0)
  }

  package mutating func goToMark(_ letter: Character) {
    guard let mark = notes.marks[letter] else { return showToast("No mark has the letter \(letter)") }
    movePlayhead(to: mark.time)
  }

  /// The times of marks and alerts, in order.
  package var markers: [Timestamp] {
    let alerts = alerts.events.lazy.filter(\.kind.isOtherAlert).map(\.time)
    let incidents = incidents.groups.map { Timestamp($0.peakTime) }
    return (notes.marks.values.map(\.time) + alerts + incidents).sorted()
  }

  /// Moves to the marker before or after the playhead, and returns its time.
  package mutating func nextMarker(_ direction: Int) -> Timestamp? {
    let present = present
    let next = direction > 0 ? markers.first { $0 > present } : markers.last { $0 < present }
    guard let next else {
      showToast(direction > 0 ? "No later mark or alert" : "No earlier mark or alert")
      return nil
    }
    movePlayhead(to: next)
    return next
  }

  // MARK: The shown store

  /// Shows the latest data.
  package mutating func showFeed() {
    shown = feed
    noteStore(from: .feed(feed.scope, beginnings: feed.beginnings))
  }

  /// Shows the samples that the history found for the moment.
  package mutating func adoptHistoryStore() {
    guard case .frozen(let moment) = playhead, let answer = history.answer, let store = answer.store,
      answer.query.playhead == moment, answer.query.scope == scope, let span = answer.query.storeSpan,
      span >= window
    else { return }
    shown.store = store
    noteStore(from: .history(history.$answer))
  }

  /// Drops results from another store, where the numbers of series mean something else.
  private mutating func noteStore(from source: StoreSource) {
    guard storeSource != source else { return }
    storeSource = source
    let isOfWhole = alerts.isOfWhole
    alerts = Alerts()
    alerts.isOfWhole = isOfWhole
  }
}

extension Session {
  /// How far back the panes of the Live screen reach, in seconds.
  package static let reach = 3600.0

  /// The history query of a screen of live samples whose moment lies before the individually kept samples.
  package var storeQuery: HistoryQuery? {
    guard case .frozen(let moment) = playhead else { return nil }
    let reach = max(window, Self.reach)
    guard isBeforeLiveSamples(moment - reach) else { return nil }
    return HistoryQuery(
      window: moment - window..<moment.nextUp, columns: 0, playhead: moment,
      storeSpan: reach)
  }

  /// Queries the extent of the history for the rail: once, when the feed no longer uses the cores.
  package var rangeQuery: HistoryQuery? {
    guard history.answer == nil, feed.status.isLoaded, history.asked == nil || history.asked?.columns == 0
    else { return nil }
    return history.asked ?? HistoryQuery(window: now - 1..<now, playhead: now)
  }

  /// True if the live samples do not cover everything from this moment on.
  private func isBeforeLiveSamples(_ moment: Timestamp) -> Bool {
    guard let range = feed.store.span else { return true }
    if let whole = history.range, whole.upperBound < moment { return false }
    if feed.store.rolledUp > 0 || !feed.status.isLoaded { return moment < range.upperBound }
    let first = history.range?.lowerBound ?? .distantPast
    return range.lowerBound > max(first, moment)
  }

  // MARK: Samples of a series

  /// Maximum number of samples in a list.
  package static let sampleLimit = 2000

  /// The samples of the window, newest first.
  package func samples(of identity: SeriesIdentity) -> [TimedValue] {
    guard let id = store.id(of: identity) else { return [] }
    let to = isFrozen ? edge : max(edge, store.tally(of: id).end)
    return store.samples(of: id, from: edge - window, to: to, limit: Self.sampleLimit)
  }

  /// True if a series is numeric, as far as known without reading all of it.
  package func isNumeric(_ identity: SeriesIdentity) -> Bool {
    if let id = store.id(of: identity), store.tally(of: id).count > 0 {
      return store.tally(of: id).numbers > 0
    }
    return !["String", "Bool"].contains(identity.typeName)
  }

  /// True if a series has numbers, bins, texts or bools with a distribution to show.
  package func hasDistribution(_ identity: SeriesIdentity) -> Bool {
    guard let tally = store.id(of: identity).map({ store.tally(of: $0) }) else { return true }
    return tally.count == 0 || tally.count > tally.nulls
  }

  /// The payload files that could not be read, then the last lines that could not be.
  package var rejections: [FeedRejection] { unreadPayloads + shown.status.rejections }

  package mutating func showRejections() {
    overlay = .rejections(selection: max(0, rejections.count - 1))
  }

  /// The index a number of rows further in a list, clamped to its ends.
  package static func moved(_ index: Int, by rows: Int, count: Int) -> Int {
    let (sum, overflow) = index.addingReportingOverflow(rows)
    return max(0, min(count - 1, overflow ? (rows > 0 ? count - 1 : 0) : sum))
  }

  /// A time range that is never empty.
  package static func range(from start: Timestamp, length: Double) -> Range<Timestamp> {
    start..<max(start + length, start.nextUp)
  }
}
