package import Aggregation
import Codecs
import History
package import Platform
import TerminalUI

// Updates the parts that all screens share, once per change.
extension Session {
  /// Updates edge, store and alerts from feed, clock and playhead.
  ///
  /// - Parameter scansPast: True to scan for alerts also while the playhead is frozen; otherwise the alerts stay as
  ///   they
  ///   were at the freeze.
  package mutating func refresh(scansPast: Bool) {
    adoptHistoryStore()
    refreshClock()
    refreshEdge()
    tellStory()
    if scansPast || !isFrozen { refreshAlerts() } else { refreshEvents() }
  }

  private mutating func refreshEdge() {
    newest = newestTime
    // Where all windows would be empty, show the last window that has samples.
    let end = newest ?? clock
    liveMoment = clock - end <= window ? clock : end
    liveEdge = liveMoment.rounded(.up, toMultipleOf: quantum)
  }

  /// Time of the newest sample, ignoring those ahead of the clock.
  private var newestTime: Timestamp? {
    var newest: Timestamp?
    var ahead = false
    for id in store.allSeries {
      let tally = store.tally(of: id)
      guard tally.count > 0 else { continue }
      if tally.end > clock + Self.tolerance {
        ahead = true
      } else {
        newest = max(newest ?? tally.end, tally.end)
      }
    }
    return newest ?? (ahead ? clock : nil)
  }

  /// Sets the marks that are due, each under the first free letter, and announces them.
  private mutating func tellStory() {
    while let mark = story.first, mark.time <= now {
      story.removeFirst()
      let free = HistoryNotes.letters.first { notes.marks[$0] == nil }
      guard let letter = free else { continue }
      notes.set(mark, letter: letter)
      if now - mark.time < 1 { showToast("\(letter): \(mark.text)") }
    }
  }

  // MARK: The rail

  /// - Parameters:
  ///   - isHistoryAsked: True if the shown screen queries the history, whose counts are then the newest.
  ///   - moment: The moment shown on the screen.
  package mutating func refreshRail(isHistoryAsked: Bool, moment: Timestamp) {
    // The present is the end of a step, even where the playhead was stopped at it, and not a separate moment.
    momentAhead = moment > clock + max(Self.tolerance, presentStep) ? moment : nil
    let frame = ScreenFrame(size: size)
    guard !frame.rail.isEmpty, let range = railRange else { return rail = Rail() }
    let last = max(min(range.upperBound, momentAhead ?? clock + Self.tolerance), range.lowerBound)
    let width = frame.railStrip(startWidth: railStart(range.lowerBound).count, endWidth: railEnd.count).width
    // While live, the right end is the edge of the window, so that the bracket of the window ends there.
    let end = max(last, playhead == .live ? max(liveEdge, momentAhead ?? liveEdge) : last)
    // For the other screens the history is queried only once: later samples are known only from the tail.
    let own = railStore.density
    let density =
      history.answer?.density.flatMap { isHistoryAsked || $0.total >= own.total ? $0 : nil } ?? own
    rail = Rail(
      first: range.lowerBound, last: end,
      counts: density.counts(
        from: range.lowerBound.seconds, to: end.seconds, columns: max(0, width)))
  }

  /// The label left of the rail.
  package func railStart(_ first: Timestamp) -> String { zone.moment(first, now: now, .minutes) }

  /// The label right of the rail: `now` if its strip ends there, otherwise the time of the last sample.
  package var railEnd: String {
    if let momentAhead { return "sim " + zone.moment(momentAhead, now: now, .minutes) }
    let end = railRange?.upperBound ?? clock
    let isPast = clock - end > window
    return (isPast ? "end " : "now ") + zone.moment(isPast ? end : clock, now: now, .minutes)
  }

  /// From the earliest to the latest sample of the rail.
  ///
  /// The shown data does not change while the screen is frozen, but samples of another time are no scale for the strip.
  private var railRange: ClosedRange<Timestamp>? {
    wholeRange(with: railStore).map { $0.clamped(to: bulkRange(of: railStore) ?? $0) }
  }

  private var railStore: SeriesStore { if case .feed = storeSource { shown.store } else { feed.store } }

  // MARK: The known past

  /// From the earliest to the latest known sample.
  package var knownRange: ClosedRange<Timestamp>? { wholeRange(with: feed.store) }

  /// The known range without the few samples that lie far from all others.
  package var mainRange: ClosedRange<Timestamp>? {
    knownRange.map { $0.clamped(to: bulkRange(of: feed.store) ?? $0) }
  }

  /// The samples that lie far from all others, oldest first.
  package var farAway: [TimeDensity.Outliers] { density(of: feed.store).bulk?.beyond ?? [] }

  private func bulkRange(of store: SeriesStore) -> ClosedRange<Timestamp>? {
    guard let (range, beyond) = density(of: store).bulk, !beyond.isEmpty else { return nil }
    // Newer samples may not be counted yet: only the sides with outliers are cut.
    let isCutBelow = beyond.contains { $0.last < range.lowerBound }
    let isCutAbove = beyond.contains { $0.first >= range.upperBound }
    return ClosedRange(
      seconds: (isCutBelow ? range.lowerBound : -.infinity)...(isCutAbove ? range.upperBound : .infinity))
  }

  /// The counts over time that know most samples.
  private func density(of store: SeriesStore) -> TimeDensity {
    let own = store.density
    return history.answer?.density.flatMap { $0.total >= own.total ? $0 : nil } ?? own
  }

  /// From the earliest to the latest sample of a store and of the history.
  private func wholeRange(with store: SeriesStore) -> ClosedRange<Timestamp>? {
    guard let live = store.span else { return history.range }
    guard let whole = history.range else { return live }
    return min(live.lowerBound, whole.lowerBound)...max(live.upperBound, whole.upperBound)
  }
}

/// The rail: all data as a strip.
package struct Rail: Sendable, Equatable {
  package var first = Timestamp(0)
  package var last = Timestamp(0)
  /// Number of samples in each column.
  package var counts: [Double] = []

  /// The column of a time, from the left of the strip.
  package func column(of time: Timestamp) -> Int? {
    guard last > first, !counts.isEmpty, time.seconds.isFinite else { return nil }
    let share = max(0, min(1, (time - first) / (last - first)))
    return min(counts.count - 1, Int(share * Double(counts.count)))
  }

  /// The time in the middle of a column.
  package func time(ofColumn column: Int) -> Timestamp? {
    guard last > first, counts.indices.contains(column) else { return nil }
    return first + (Double(column) + 0.5) / Double(counts.count) * (last - first)
  }
}
