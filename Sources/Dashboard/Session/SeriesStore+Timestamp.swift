import Aggregation
import Platform

// The store counts bare seconds, for it knows no clock.
extension SeriesStore {
  /// From the earliest to the latest sample; `nil` without one.
  var span: ClosedRange<Timestamp>? { timeRange.map { ClosedRange(seconds: $0) } }

  func summary(
    of id: SeriesID, from: Timestamp, to: Timestamp, percentiles: [Double] = [], exactLimit: Int = exactLimit
  ) -> SeriesSummary {
    summary(
      of: id, from: from.seconds, to: to.seconds, percentiles: percentiles, exactLimit: exactLimit)
  }

  func samples(of id: SeriesID, from: Timestamp, to: Timestamp, limit: Int) -> [TimedValue] {
    samples(of: id, from: from.seconds, to: to.seconds, limit: limit)
  }

  func textColumns(of id: SeriesID, from: Timestamp, to: Timestamp, count: Int) -> TextColumns {
    textColumns(of: id, from: from.seconds, to: to.seconds, count: count)
  }

  func columns(of id: SeriesID, from: Timestamp, to: Timestamp, count: Int) -> [SeriesColumn?] {
    columns(of: id, from: from.seconds, to: to.seconds, count: count)
  }

  func binCounts(
    of id: SeriesID, from: Timestamp, to: Timestamp, over range: ClosedRange<Double>, bins: Int
  ) -> [Int] {
    binCounts(of: id, from: from.seconds, to: to.seconds, over: range, bins: bins)
  }
}

extension SeriesTally {
  var start: Timestamp { Timestamp(firstTime) }
  var end: Timestamp { Timestamp(lastTime) }
}

extension SeriesSummary {
  var start: Timestamp? { firstTime.map { Timestamp($0) } }
  var end: Timestamp? { lastTime.map { Timestamp($0) } }
}

extension SeriesColumn {
  var start: Timestamp { Timestamp(firstTime) }
  var end: Timestamp { Timestamp(lastTime) }
}

extension TimedValue {
  var moment: Timestamp { Timestamp(time) }
}
