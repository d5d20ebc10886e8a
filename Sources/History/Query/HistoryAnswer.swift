package import Aggregation
package import Platform

/// The answer to a `HistoryQuery`: everything a screen shows of the history.
package struct HistoryAnswer: Sendable {
  /// The query.
  package var query: HistoryQuery
  /// The files from oldest to newest, by the names shown to the user.
  package var files: [String] = []
  /// Earliest and latest time of all samples of all files; `nil` if there are none.
  package var range: ClosedRange<Timestamp>?
  /// Density of the samples of all files over that range; `nil` if unknown.
  package var density: TimeDensity?
  /// All series with a sample anywhere, and their content in the window; by bucket, name, type and field.
  package var series: [HistorySeries] = []
  /// The chart of the focus.
  package var chart = HistoryChart()
  /// The charts of the query's pins.
  package var pins: [SeriesIdentity: HistoryChart] = [:]
  /// The summary of the focus in the window.
  package var summary = HistorySummary()
  /// The summary of the focus in the query's selection, if there is one.
  package var selection: HistorySummary?
  /// The rows of the table.
  package var page = HistoryPage()
  /// The sample at the page's anchor, if requested.
  package var detail: HistoryDetail?
  /// All samples of the `storeSpan` up to and including the playhead, if requested and not too many.
  package var store: SeriesStore?
  /// The numbers of the query's histogram, if requested.
  package var cube: SampleCube?
  /// All recorded payloads, if requested.
  package var payloads: PayloadArchive?
  /// The JSON of one payload, if requested.
  package var original: OriginalAnswer?
  /// The comparison of all hosts, if requested.
  package var hosts: HostsAnswer?
  /// Faults found, newest last: an index that had to be rebuilt, a block that changed, a file that is gone.
  package var notes: [String] = []

  package init(query: HistoryQuery) {
    self.query = query
  }
}

/// One series and its content in the window.
package struct HistorySeries: Sendable, Equatable {
  package let identity: SeriesIdentity
  /// Number of samples of any kind in the window.
  package var count: Int
  /// Number of samples of any kind in all files.
  package var total: Int
  /// For texts and bools, the values in the window in descending order of count (bools as `true` and `false`); empty for numbers.
  package var values: [TextShare]

  package init(identity: SeriesIdentity, count: Int, total: Int, values: [TextShare] = []) {
    self.identity = identity
    self.count = count
    self.total = total
    self.values = values
  }
}

/// The summary of the focus in the window.
package struct HistorySummary: Sendable, Equatable {
  /// Number of samples of any kind.
  package var count = 0
  /// Number of numbers, and their minimum, maximum and mean; zero and `nil` if there are none.
  package var numbers = 0
  package var minimum: Double?
  package var maximum: Double?
  package var mean: Double?
  package var nulls = 0
  /// Percentiles 50, 95 and 99 of the numbers with their bounds; empty if there are no numbers.
  package var quantiles: [Quantile] = []
  /// Earliest and latest time of a sample in the window.
  package var firstTime: Timestamp?
  package var lastTime: Timestamp?

  package init() {}
}

/// A chart with steps of equal length, whose edges do not depend on the window.
package struct HistoryChart: Sendable, Equatable {
  /// Step length in seconds: a power of two.
  package var step = 1.0
  /// The first step's number: it begins at `firstKey * step` seconds since 2001.
  package var firstKey: Int64 = 0
  /// The column of each step; `nil` if it has no sample.
  ///
  /// The first and last one may begin or end outside the window.
  package var columns: [HistoryColumn?] = []
  /// The texts of each step; empty if there are none or they are narrowed to one.
  package var texts = TextColumns()
  /// True if the steps are longer than requested and reading more could make them shorter.
  package var canBeFiner = false

  package init() {}

  /// Start of a column.
  package func start(ofColumn column: Int) -> Timestamp {
    Timestamp((Double(firstKey) + Double(column)) * step)
  }
}

/// One step of the chart.
package struct HistoryColumn: Sendable, Equatable {
  /// Number of samples of any kind, or of those with the narrowed value.
  package var count: Int
  /// Number of numbers and bools (as 0 and 1), with their extremes, mean and percentiles.
  package var numbers: Int
  package var minimum: Double
  package var maximum: Double
  package var mean: Double
  package var spread: ValueSpread
  /// Earliest and latest time of a sample.
  package var firstTime: Timestamp
  package var lastTime: Timestamp
  /// True if the numbers are bools, so that the mean is the share of true.
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

/// A range of rows in the table of samples.
package struct HistoryPage: Sendable, Equatable {
  /// Number of the first available row among all rows of the window, from 0.
  package var first = 0
  /// Number of rows of the window that pass the filter.
  ///
  /// By value or with a filter, above a million: the number of reachable rows, the first and last thousand.
  package var total = 0
  /// True if only the first and last thousand of the order can be reached.
  package var isCut = false
  package var rows: [HistoryRow] = []
  /// Index of the anchor in `rows`; `nil` if there are no rows.
  package var anchor: Int?

  package init() {}
}

/// One sample in the table.
package struct HistoryRow: Sendable, Equatable {
  package let place: SamplePlace
  /// The line number in the file, from 1.
  package let line: Int
  /// The value of the focus in this sample.
  package let value: SeriesValue
  /// The other fields of a struct value in the order written, up to a limit; empty for other values.
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

/// Details of one sample.
package struct HistoryDetail: Sendable, Equatable {
  package var row: HistoryRow
  /// The file, as a path that an editor can open; most editors unpack packed files.
  package var path: String
  /// The line as written, at most 8 KiB of it; it may contain control characters.
  package var rawLine: String
  /// Number of samples of the series in the hour around it (30 minutes on each side).
  package var hourCount = 0
  /// The share of those that are not above it, 0 to 1, as lower and upper bound; `nil` if the value is not a number.
  package var rank: ClosedRange<Double>?
  /// Number of samples in that hour with the same text or bool in a field, by field; only for values distinguished there.
  package var peers: [HistoryPeers] = []
  /// The last values of the other series that are beyond their noise at that moment, the least likely first.
  package var others: [HistoryNeighbour] = []

  package init(row: HistoryRow, path: String, rawLine: String) {
    self.row = row
    self.path = path
    self.rawLine = rawLine
  }
}

/// The number of samples that share a value of a field.
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
  /// Age in seconds above which a value does not count as simultaneous.
  package static let oldAge = 60.0

  package let identity: SeriesIdentity
  /// The last value at or before the moment, and its time.
  package let value: SeriesValue
  package let time: Timestamp
  /// The median of the hour before the moment; `nil` if there are no numbers.
  package let usual: Quantile?

  package init(identity: SeriesIdentity, value: SeriesValue, time: Timestamp, usual: Quantile?) {
    self.identity = identity
    self.value = value
    self.time = time
    self.usual = usual
  }
}
