package import Aggregation
package import Platform

// The store has no clock: it counts plain seconds.
extension SeriesStore {
  /// From the earliest to the latest sample; `nil` without one.
  package var span: ClosedRange<Timestamp>? { timeRange.map { ClosedRange(seconds: $0) } }

  /// True if a series has begun by a moment, and has samples of the hour before it or later ones.
  func isActive(_ id: SeriesID, before edge: Timestamp) -> Bool {
    let tally = tally(of: id)
    return tally.end >= edge - Session.reach && tally.start <= edge
  }

  package func summary(
    of id: SeriesID, from: Timestamp, to: Timestamp, percentiles: [Double] = [], exactLimit: Int = exactLimit
  ) -> SeriesSummary {
    summary(
      of: id, from: from.seconds, to: to.seconds, percentiles: percentiles, exactLimit: exactLimit)
  }

  package func samples(of id: SeriesID, from: Timestamp, to: Timestamp, limit: Int) -> [TimedValue] {
    samples(of: id, from: from.seconds, to: to.seconds, limit: limit)
  }

  package func textColumns(of id: SeriesID, from: Timestamp, to: Timestamp, count: Int) -> TextColumns {
    textColumns(of: id, from: from.seconds, to: to.seconds, count: count)
  }

  package func columns(of id: SeriesID, from: Timestamp, to: Timestamp, count: Int) -> [SeriesColumn?] {
    columns(of: id, from: from.seconds, to: to.seconds, count: count)
  }

  package func binCounts(
    of id: SeriesID, from: Timestamp, to: Timestamp, over range: ClosedRange<Double>, bins: Int
  ) -> [Int] {
    binCounts(of: id, from: from.seconds, to: to.seconds, over: range, bins: bins)
  }
}

extension SeriesTally {
  package var start: Timestamp { Timestamp(firstTime) }
  package var end: Timestamp { Timestamp(lastTime) }
}

extension SeriesSummary {
  package var start: Timestamp? { firstTime.map { Timestamp($0) } }
  package var end: Timestamp? { lastTime.map { Timestamp($0) } }
}

extension SeriesColumn {
  package var start: Timestamp { Timestamp(firstTime) }
  package var end: Timestamp { Timestamp(lastTime) }
}

extension TimedValue {
  package var moment: Timestamp { Timestamp(time) }
}
