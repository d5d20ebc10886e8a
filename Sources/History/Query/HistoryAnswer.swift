package import Aggregation
package import Platform

/// The answer to a `HistoryQuery`: everything that a screen draws of the history.
package struct HistoryAnswer: Sendable {
  /// The query.
  package var query: HistoryQuery
  /// The files from the oldest to the newest, as they are named to a person.
  package var files: [String] = []
  /// Earliest and latest time of all samples of all files; `nil` without one.
  package var range: ClosedRange<Timestamp>?
  /// How the samples of all files lie over that range; `nil` where it is not known.
  package var density: TimeDensity?
  /// All series that have a sample anywhere, with what they hold in the window; by bucket, name, type and field.
  package var series: [HistorySeries] = []
  /// The chart of the focus.
  package var chart = HistoryChart()
  /// The charts of the query's pins.
  package var pins: [SeriesIdentity: HistoryChart] = [:]
  /// The summary of the focus in the window.
  package var summary = HistorySummary()
  /// The summary of the focus in the query's selection, where there is one.
  package var selection: HistorySummary?
  /// The rows of the table.
  package var page = HistoryPage()
  /// The line at the page's anchor, where it was wanted.
  package var detail: HistoryDetail?
  /// All samples of `storeSpan` before the playhead and up to it, where they were wanted and are not too many.
  package var store: SeriesStore?
  /// The numbers that the query's histogram is of, where they were wanted.
  package var cube: SampleCube?
  /// All recorded payloads, where they were wanted.
  package var payloads: PayloadArchive?
  /// Faults found: an index that had to be rebuilt, a block that changed, a file that is gone; newest last.
  package var notes: [String] = []

  package init(query: HistoryQuery) {
    self.query = query
  }
}

/// One series and what it holds in the window.
package struct HistorySeries: Sendable, Equatable {
  package let identity: SeriesIdentity
  /// Samples of any kind in the window.
  package var count: Int
  /// Samples of any kind in all files.
  package var total: Int
  /// For texts and bools the values in the window by falling count (bools as `true` and `false`); empty for numbers.
  package var values: [TextShare]

  package init(identity: SeriesIdentity, count: Int, total: Int, values: [TextShare] = []) {
    self.identity = identity
    self.count = count
    self.total = total
    self.values = values
  }
}

/// The focus in the window.
package struct HistorySummary: Sendable, Equatable {
  /// Samples of any kind.
  package var count = 0
  /// Numbers among them, with their least, their largest and their mean; zero and `nil` without one.
  package var numbers = 0
  package var minimum: Double?
  package var maximum: Double?
  package var mean: Double?
  package var nulls = 0
  /// Percentiles 50, 95 and 99 of the numbers with their bounds; empty without a number.
  package var quantiles: [Quantile] = []
  /// Earliest and latest time of a sample in the window.
  package var firstTime: Timestamp?
  package var lastTime: Timestamp?

  package init() {}
}

/// The chart: steps of equal length, with edges that do not depend on the window.
package struct HistoryChart: Sendable, Equatable {
  /// The length of a step, in seconds: a power of two.
  package var step = 1.0
  /// The first step's number: it begins at `firstKey * step` seconds since 2001.
  package var firstKey: Int64 = 0
  /// The column of each step, `nil` where there is no sample.
  ///
  /// The first and last one may begin or end outside the window.
  package var columns: [HistoryColumn?] = []
  /// The texts of each step, where it holds any and they are not narrowed to one.
  package var texts = TextColumns()
  /// True if the steps are longer than was asked for, and reading more could make them shorter.
  package var canBeFiner = false

  package init() {}

  /// When a column begins.
  package func start(ofColumn column: Int) -> Timestamp {
    Timestamp((Double(firstKey) + Double(column)) * step)
  }
}

/// One step of the chart.
package struct HistoryColumn: Sendable, Equatable {
  /// Samples of any kind (of the narrowed value, where one is asked for).
  package var count: Int
  /// Numbers and bools among them (bools count as 0 and 1), with their extremes, mean and percentiles.
  package var numbers: Int
  package var minimum: Double
  package var maximum: Double
  package var mean: Double
  package var spread: ValueSpread
  /// Earliest and latest time of a sample.
  package var firstTime: Timestamp
  package var lastTime: Timestamp
  /// True if its numbers are bools, so that the mean is the share of true.
  package var areBools = false

  package var p50: Double { spread.p50 }

  package init(
    count: Int, numbers: Int, minimum: Double, maximum: Double, mean: Double, spread: ValueSpread,
    firstTime: Timestamp, lastTime: Timestamp
  ) {
    self.count = count
    self.numbers = numbers
    self.minimum = minimum
    self.maximum = maximum
    self.mean = mean
    self.spread = spread
    self.firstTime = firstTime
    self.lastTime = lastTime
  }
}

/// Some rows of the table of samples.
package struct HistoryPage: Sendable, Equatable {
  /// The number of the first row at hand among all rows of the window, from 0.
  package var first = 0
  /// How many rows the window has, of those that the filter lets through.
  ///
  /// By value or with a filter, beyond a million: the rows that can be reached, the first and last thousand.
  package var total = 0
  /// True if only the first and last thousand of the order can be reached.
  package var isCut = false
  package var rows: [HistoryRow] = []
  /// The place of the anchor among `rows`; `nil` where there is no row.
  package var anchor: Int?

  package init() {}
}

/// One sample in the table.
package struct HistoryRow: Sendable, Equatable {
  package let place: SamplePlace
  /// The number of its line in its file, from 1.
  package let line: Int
  /// The value of the focus in this sample.
  package let value: SeriesValue
  /// The other fields of a struct value, in the order of writing, a bounded number; empty for other values.
  package let fields: [HistoryField]

  package var time: Timestamp { place.time }

  package init(place: SamplePlace, line: Int, value: SeriesValue, fields: [HistoryField] = []) {
    self.place = place
    self.line = line
    self.value = value
    self.fields = fields
  }
}

/// A field of a struct value.
package struct HistoryField: Sendable, Equatable {
  package let name: String
  package let value: SeriesValue

  package init(name: String, value: SeriesValue) {
    self.name = name
    self.value = value
  }
}

/// All about one sample.
package struct HistoryDetail: Sendable, Equatable {
  package var row: HistoryRow
  /// The file, as a path that an editor can open; most of them unpack what is packed.
  package var path: String
  /// The line as it was written, at most 8 KiB of it; not free of control characters.
  package var rawLine: String
  /// How many samples of the series lie in the hour around it (30 minutes on each side).
  package var hourCount = 0
  /// The share of them that are not above it, 0 to 1, with the bounds it must lie in; `nil` for what is no number.
  package var rank: ClosedRange<Double>?
  /// How many samples of that hour have the same text or bool in a field, by field; where it is one of few.
  package var peers: [HistoryPeers] = []
  /// The last values of all other series at that moment, the oddest first.
  package var others: [HistoryNeighbour] = []

  package init(row: HistoryRow, path: String, rawLine: String) {
    self.row = row
    self.path = path
    self.rawLine = rawLine
  }
}

/// How many samples share a value of a field.
package struct HistoryPeers: Sendable, Equatable {
  package let field: String
  package let value: String
  package let count: Int

  package init(field: String, value: String, count: Int) {
    self.field = field
    self.value = value
    self.count = count
  }
}

/// Another series at the moment of a sample.
package struct HistoryNeighbour: Sendable, Equatable {
  /// Seconds before the moment from which on a value was not shown at the same time.
  package static let oldAge = 60.0

  package let identity: SeriesIdentity
  /// Its last value at or before the moment, and when that was.
  package let value: SeriesValue
  package let time: Timestamp
  /// The median of its window; `nil` for what is no number.
  package let usual: Quantile?

  package init(identity: SeriesIdentity, value: SeriesValue, time: Timestamp, usual: Quantile?) {
    self.identity = identity
    self.value = value
    self.time = time
    self.usual = usual
  }
}
