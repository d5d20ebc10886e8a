import Aggregation
import Codecs
import DashboardCore
import Platform

/// The content of the Live screen: computed once per change, so that drawing only draws.
package struct LiveContent: Sendable {
  var listing = Derived<ListingKey, LiveListing>(LiveListing())
  var rowList = Derived<RowsKey, [LiveRow]>([])
  var rowsMadeAt = Timestamp.distantPast
  /// The number of metrics with rows of their own, and how many of them are in the shown rows.
  var (ownMetrics, listedMetrics) = (0, 0)
  /// The place of the selected row.
  var selectedIndex: Int?
  var stats: [SeriesID: CachedStats] = [:]
  var focus: LiveFocus?
  var pins: [SeriesIdentity: Derived<LiveFocus.Key, MetricCurve>] = [:]
  /// Width in columns of the longest name in `rows`, over all rows, so that scrolling shifts no column.
  var nameWidth = 0
  /// The store that figures and focus were computed from.
  var storeSource: StoreSource?

  package var rows: [LiveRow] { rowList.value }
}

/// The inputs of the order and the names of all series.
struct ListingKey: Hashable, Sendable {
  /// The store, and the version of its list of series.
  var store: StoreSource
  var series: Int
  /// True if the user set the order, which `ranks` then defines.
  var isOwnOrder: Bool
  var ranks: ValueVersion
  var form: LiveListing.Form
}

/// The inputs of the rows.
struct RowsKey: Hashable, Sendable {
  var listing: ListingKey
  var folded: Set<RowID>
  var filter: RowFilter
  /// The second and window the filter was applied to; `nil` if it depends on names alone.
  var filtered: FilterMoment?
  /// The idle series, and whether they are listed nevertheless.
  var idle: ValueVersion
  var showsIdle: Bool
  /// True if the newest part of the files has been read: its rows appear at once.
  var isCaughtUp: Bool
}

/// The figures of one row.
struct RowStats: Sendable, Equatable {
  var now: SeriesValue?
  var summary = SeriesSummary()
  /// One value per column of the sparkline.
  var spark: [Double?] = []
  /// True if a sample lies more than five seconds ahead of the clock.
  var isAhead = false

  /// The usual range over the last hour.
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

/// Figures and the inputs they were computed from.
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
  /// The end of the hour that `stats.usual` covers.
  var usualEdge = Timestamp.distantPast
  /// The first sample known at that time: earlier ones may still be read.
  var usualStart = Timestamp.distantPast
}

/// The metric shown by chart and comparison.
struct LiveFocus: Sendable, Equatable {
  struct Key: Hashable, Sendable {
    var version: Int
    var edge: Timestamp
    /// The end of the hour that the window is compared with.
    var present: Timestamp
    var window: Double
    var columns: Int

    /// True if the other key differs at most in the version of the series.
    func isAlike(_ other: Key) -> Bool {
      edge == other.edge && present == other.present && window == other.window && columns == other.columns
    }
  }

  var key: Key
  /// When the percentiles were computed, and from which version.
  var figuresAt = Timestamp.distantPast
  var figuresVersion = -1
  var series: SeriesID
  var identity: SeriesIdentity
  var now: SeriesValue?
  var columns: [SeriesColumn?] = [] {
    didSet { isDense = Self.isDense(columns) }
  }
  private(set) var isDense = false
  /// The texts of the columns, for series without numbers.
  var texts = TextColumns()
  var gaps: [ClosedRange<Timestamp>] = []
  var window = SeriesSummary()
  var hour = SeriesSummary()
  /// The end of that hour: the start of the window, unless no samples precede it.
  var hourEnd = Timestamp(0)
  /// With fewer than twenty samples, the values one rank below and above each percentile of the window; otherwise
  /// empty.
  var margins: [ClosedRange<Double>] = []
  var axis = ValueAxis.share
  /// The range of values of the curve.
  var extent = ValueExtent()
  /// The spreads of values over slices of the window.
  var spreads: [Spread] = []
  var windowBins: [Int] = []
  var hourBins: [Int] = []
  var binRange: ClosedRange<Double> = 0...1
  var limit: MetricLimit?
  /// The number of samples more than five seconds ahead of the clock.
  var ahead = 0

  /// The spread of values over a time range, in seconds since 2001.
  struct Spread: Sendable, Equatable {
    let time: Range<Double>
    let spread: ValueSpread
  }

  /// True if there are numbers or bools to draw as a curve.
  var hasCurve: Bool { window.moments.count > 0 || window.shareOfTrue != nil }

  /// True if there are figures to compare.
  var hasNumbers: Bool { hour.moments.count > 0 || window.moments.count > 0 }

  /// True if the curve shows the share of true values.
  var isShare: Bool { window.moments.count == 0 && window.shareOfTrue != nil }

  /// True if the window is compared with the time before it.
  var isAgainstBefore: Bool { hourEnd <= key.edge - key.window }

  /// The length of the compared hour that has samples, as text.
  var hourText: String {
    let length = hour.start.map { hourEnd - $0 } ?? Session.reach
    guard length + (isAgainstBefore ? key.window : 0) < 0.98 * Session.reach else { return "1h" }
    if !isAgainstBefore, length <= key.window { return "all" }
    return length < 60 ? DurationFormat.text(max(1, length.rounded())) : "\(Int(length / 60))m"
  }

  /// True if the curve shows averages.
  var hasAverages: Bool { isDense && hasCurve && !isShare }

  /// True if individual samples would fill a chart: three or more per column.
  static func isDense(_ columns: [SeriesColumn?]) -> Bool {
    let filled = columns.lazy.compactMap { $0 }.filter { $0.numbers > 0 }
    return filled.reduce(0) { $0 + $1.numbers } >= 3 * max(1, filled.count)
  }

  static let percentiles: [Double] = [50, 75, 90, 95, 99]
  /// With fewer samples a percentile is a range, shown in grey.
  static let fewSamples = 20
  /// A single metric deserves more precision than a row of the table.
  static let exactLimit = 16_384
}
