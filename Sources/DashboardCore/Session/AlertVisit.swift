import Aggregation
package import Platform
import QueryLanguage

/// An alert that the user went to.
package struct AlertVisit: Hashable, Sendable {
  package let event: ChangeEvent
  /// The alerts listed at that time: they stay in the list, whatever a scan finds around the playhead.
  package let listed: [ChangeEvent]
  /// The worst moment, where it differs from the start.
  package let peak: Timestamp?
  /// True if the playhead is at the peak rather than at the start.
  package var isAtPeak = false
}

extension Session {
  /// Moves the playhead to the start of an alert, or to its worst moment; a file event has no samples to go to.
  package mutating func go(to event: ChangeEvent, isAtPeak: Bool = false) {
    let listed = alerts.events.filter { $0.kind.isOtherAlert && !$0.kind.isOfFile }
    let peak = visit.flatMap { $0.event.id == event.id ? $0.peak : nil } ?? worstMoment(of: event)
    if !event.kind.isOfFile { movePlayhead(to: isAtPeak ? peak ?? event.time : event.time) }
    visit = AlertVisit(
      event: event, listed: listed, peak: peak == event.time ? nil : peak, isAtPeak: isAtPeak)
    alertSelection = event.id
  }

  /// The worst moment of an alert; for a limit that is still exceeded, the worst sample so far.
  private func worstMoment(of event: ChangeEvent) -> Timestamp? {
    let store = feed.store
    if event.peak != nil { return event.peak }
    guard let limit = event.excess?.limit, ![.n, .rate, .age].contains(limit.figure),
      let id = event.series.flatMap({ store.id(of: $0) })
    else { return nil }
    let isFloor = limit.isFloor
    func height(_ column: SeriesColumn) -> Double { isFloor ? -column.minimum : column.maximum }
    func height(_ sample: TimedValue) -> Double {
      if case .number(let value) = sample.value { isFloor ? -value : value } else { -.infinity }
    }
    // The whole hour at one-second resolution first, then that second sample by sample.
    let seconds = store.columns(
      of: id, from: event.time, to: event.end ?? store.tally(of: id).end, count: Int(Self.reach)
    ).lazy.compactMap { $0 }.filter { $0.numbers > 0 }
    guard let second = seconds.max(by: { height($0) < height($1) }) else { return nil }
    return store.samples(of: id, from: second.start, to: second.end, limit: Self.sampleLimit)
      .max { height($0) < height($1) }?.moment
  }
}
