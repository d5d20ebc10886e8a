import Aggregation
import Codecs
import DashboardCore
import Platform

/// The content of the Live screen at this moment: computed once per change, so that drawing only draws.
package struct LiveContent: Sendable {
  var listing = Derived<ListingKey, LiveListing>(LiveListing())
  var rowList = Derived<RowsKey, [LiveRow]>([])
  var rowsMadeAt = Timestamp.distantPast
  /// How many metrics have rows of their own, and how many of them are among the rows that are shown.
  var (ownMetrics, listedMetrics) = (0, 0)
  /// The place of the selected row.
  var selectedIndex: Int?
  var stats: [SeriesID: CachedStats] = [:]
  var focus: LiveFocus?
  /// The curves of pinned metrics.
  var pins: [SeriesIdentity: Derived<LiveFocus.Key, MetricCurve>] = [:]
  /// Columns of the longest name of `rows`; of all rows, so that scrolling moves no column.
  var nameWidth = 0
  /// Which store figures and focus were computed from.
  var storeSource: StoreSource?

  package var rows: [LiveRow] { rowList.value }
}

/// The inputs that the order and the names of all series depend on.
struct ListingKey: Hashable, Sendable {
  /// Which store they are of, and which state of its list of series.
  var store: StoreSource
  var series: Int
  /// True if the order is the person's own, which its ranks make.
  var isOwnOrder: Bool
  var ranks: ValueVersion
  var form: LiveListing.Form
}

/// The inputs that the rows depend on.
struct RowsKey: Hashable, Sendable {
  var listing: ListingKey
  var folded: Set<RowID>
  var filter: RowFilter
  /// Which second and window the filter was held against; `nil` where the names alone tell.
  var filtered: FilterMoment?
  /// Which series are idle, and whether they are listed all the same.
  var idle: ValueVersion
  var showsIdle: Bool
  /// True if the newest part of the files has been read: what it tells is shown at once.
  var isCaughtUp: Bool
}

/// The figures of one row.
struct RowStats: Sendable, Equatable {
  var now: SeriesValue?
  var summary = SeriesSummary()
  /// One value a column of the sparkline.
  var spark: [Double?] = []
  /// A sample more than five seconds ahead of the clock exists.
  var isAhead = false

  /// The usual range according to the last hour.
  var usual: UsualRange?

  static let percentiles: [Double] = [50, 95, 99]

  var n: Int { summary.count }
  var p50: Quantile? { quantile(0) }
  var p95: Quantile? { quantile(1) }
  var p99: Quantile? { quantile(2) }

  private func quantile(_ place: Int) -> Quantile? {
    summary.quantiles.indices.contains(place) ? summary.quantiles[place] : nil
  }
}

/// Figures with what they were computed from.
struct CachedStats: Sendable {
  struct Key: Hashable, Sendable {
    var edge: Timestamp
    var window: Double
    var columns: Int
  }

  var key: Key
  var version: Int
  var madeAt: Timestamp
  var stats: RowStats
  /// The end of the hour that `stats.usual` is of.
  var usualEdge = Timestamp.distantPast
  /// The first sample that was known then: what lies before may still be read.
  var usualStart = Timestamp.distantPast
}

/// The metric that the chart and the comparison show.
struct LiveFocus: Sendable, Equatable {
  struct Key: Hashable, Sendable {
    var version: Int
    var edge: Timestamp
    /// The end of the hour that the window is compared with.
    var present: Timestamp
    var window: Double
    var columns: Int

    /// True if the other one is of the same picture, perhaps of a newer version of the series.
    func isAlike(_ other: Key) -> Bool {
      edge == other.edge && present == other.present && window == other.window && columns == other.columns
    }
  }

  var key: Key
  /// When and from what the percentiles were computed.
  var figuresAt = Timestamp.distantPast
  var figuresVersion = -1
  var series: SeriesID
  var identity: SeriesIdentity
  var now: SeriesValue?
  var columns: [SeriesColumn?] = [] {
    didSet { isDense = Self.isDense(columns) }
  }
  private(set) var isDense = false
  /// The texts of the columns, where they have no numbers.
  var texts = TextColumns()
  var gaps: [ClosedRange<Timestamp>] = []
  var window = SeriesSummary()
  var hour = SeriesSummary()
  /// Where that ends: at the beginning of the window, unless there is nothing before it.
  var hourEnd = Timestamp(0)
  /// Under twenty samples the values one rank below and above each percentile of the window; else empty.
  var margins: [ClosedRange<Double>] = []
  var axis = ValueAxis.share
  /// The values of the curve.
  var extent = ValueExtent()
  /// Where the values of stretches of the window lie.
  var spreads: [Spread] = []
  var windowBins: [Int] = []
  var hourBins: [Int] = []
  var binRange: ClosedRange<Double> = 0...1
  var limit: MetricLimit?
  /// Samples more than five seconds ahead of the clock.
  var ahead = 0

  /// Where the values of a stretch of time lie, in seconds since 2001.
  struct Spread: Sendable, Equatable {
    let time: Range<Double>
    let spread: ValueSpread
  }

  /// True if there are numbers or bools to draw a curve of.
  var hasCurve: Bool { window.moments.count > 0 || window.shareOfTrue != nil }

  /// True if there are figures to compare.
  var hasNumbers: Bool { hour.moments.count > 0 || window.moments.count > 0 }

  /// True if the curve is of shares of true.
  var isShare: Bool { window.moments.count == 0 && window.shareOfTrue != nil }

  /// True where the window is compared with the time before it.
  var isAgainstBefore: Bool { hourEnd <= key.edge - key.window }

  /// How much of the hour has samples to compare with, as it is written.
  var hourText: String {
    let length = hour.start.map { hourEnd - $0 } ?? Session.reach
    guard length + (isAgainstBefore ? key.window : 0) < 0.98 * Session.reach else { return "1h" }
    if !isAgainstBefore, length <= key.window { return "all" }
    return length < 60 ? DurationFormat.text(max(1, length.rounded())) : "\(Int(length / 60))m"
  }

  /// True where the curve is of averages.
  var hasAverages: Bool { isDense && hasCurve && !isShare }

  /// True where single samples would fill a chart: three and more a column.
  static func isDense(_ columns: [SeriesColumn?]) -> Bool {
    let filled = columns.lazy.compactMap { $0 }.filter { $0.numbers > 0 }
    return filled.reduce(0) { $0 + $1.numbers } >= 3 * max(1, filled.count)
  }

  static let percentiles: [Double] = [50, 75, 90, 95, 99]
  /// With fewer samples a percentile is a range, shown in grey.
  static let fewSamples = 20
  /// One metric is worth more exactness than a row of the table.
  static let exactLimit = 16_384
}
