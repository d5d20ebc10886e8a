package import Aggregation
package import DashboardCore
package import History
package import Platform

/// The panes of the History screen that Tab moves through.
package enum HistoryPane: CaseIterable, Hashable, Sendable {
  case tree, chart, table, detail
}

/// The user's changes to the History screen, and the state derived from them and from the answers.
package struct HistoryState: Sendable {
  /// The length of the window in seconds; `nil` for the whole history.
  package internal(set) var span: Double?
  /// The visible time range.
  package internal(set) var window = Timestamp(0)..<Timestamp(1)
  /// The window in seconds since 2001.
  var windowSeconds: ClosedRange<Double> { window.lowerBound.seconds...window.upperBound.seconds }
  /// The name of the series to focus as soon as it is known.
  var wantedFocus: String?
  /// The requested name that no series has.
  var unknownFocus: String?
  /// The subject of the other screens, used as the initial focus.
  var suggestedFocus: SeriesIdentity?
  /// The series shown by chart and table.
  package internal(set) var focus: SeriesIdentity?
  /// The only value of the focus that is shown; `nil` for all values.
  package internal(set) var narrowed: String?
  /// The filter for the samples in the table, set by another screen; `nil` for all samples.
  package internal(set) var sampleFilter: SampleFilter?
  /// The way back to the screen that asked for samples; `nil` if there is none.
  var ticket: ReturnTicket?
  /// Order and cursor of the table; see ``HistoryTableChoice``.
  var table = HistoryTableChoice(destination: ValueVersion())
  /// The ends of the range selected in the chart; `begin` is where the selection started.
  package internal(set) var selection: (begin: Timestamp, end: Timestamp)?
  /// The windows from before each zoom, oldest first.
  var zooms: [HistoryZoom] = []
  /// True if the end of the range moves with the playhead.
  var isSelecting = false
  package internal(set) var pane = HistoryPane.tree
  package internal(set) var isMaximised = false
  /// Rows of the tree whose folding differs from the default.
  package internal(set) var toggled: Set<HistoryRowID> = []
  package internal(set) var rowFilter = RowFilter()
  /// The text of the filter; a value that is set counts as completely typed.
  package internal(set) var filter: String {
    get { rowFilter.text }
    set { rowFilter = RowFilter(newValue, before: rowFilter).settled }
  }
  /// The selected row of the tree.
  package internal(set) var row: HistoryRowID?
  /// Index of the selected row when the tree was last drawn, among its rows and then those below it.
  var rowPlace: Int?
  /// The first visible row of the tree, and of the list below it.
  var offset = 0
  var listOffset = 0
  /// The first visible row of the table, counted in the window.
  var tableOffset = 0
  /// True if the detail pane shows the raw line.
  package internal(set) var isRaw = false
  /// All series in the order of the tree, regardless of the filter.
  var series = Derived<SeriesKey, [HistorySeries]>([])
  var tree = Derived<TreeKey, HistoryTreeRows>(HistoryTreeRows())
  var scale = Derived<ScaleKey, HistoryChartScale>(HistoryChartScale())

  package init() {}

  /// The inputs of the tree's rows.
  struct TreeKey: Hashable {
    var series: SeriesKey
    var toggled: Set<HistoryRowID>
    var filter: RowFilter
    /// The values and states the filter was checked against; `nil` if only names matter.
    var filtered: FilterMoment?
    var notes: HistoryNotes
  }

  /// The source of the tree's series: the samples read so far, until the history answers.
  enum SeriesKey: Hashable {
    case store(version: Int)
    case history(ValueVersion)
  }

  /// The inputs of the chart's scale.
  struct ScaleKey: Hashable {
    var answer: ValueVersion
    var focus: SeriesIdentity?
    var isLogarithmic: Bool?
    var pins: [SeriesIdentity]
    var limit: MetricLimit?
  }

  /// The rows of the tree.
  package var rows: [HistoryTreeRow] { tree.value.rows }
  /// Saved views and marks, listed below the tree, with their titles.
  package var noteRows: [HistoryTreeRow] { tree.value.notes }
  /// Periods without a sample that are much longer than usual.
  package var gaps: [ClosedRange<Timestamp>] { scale.value.gaps }
  /// The value axis of the chart.
  var axis: ValueAxis { scale.value.axis }
}

/// A window from before a zoom to a selected range.
struct HistoryZoom: Hashable, Sendable {
  var span: Double?
  var window: Range<Timestamp>
}

/// The order of the table and its selected row, valid until the playhead moves elsewhere.
///
/// Afterwards the row is again that of the playhead, in time order, because a moment has no place in any other order.
struct HistoryTableChoice: Hashable, Sendable {
  /// The version of ``Session/destination`` for which the choice was made.
  var destination: ValueVersion
  var order = HistoryPageQuery.Order.time
  var cursor = HistoryCursor()
}

/// The selected row of the table.
package struct HistoryCursor: Hashable, Sendable {
  /// The anchor that the next page is built around.
  package var anchor = HistoryPageQuery.Anchor.playhead
  /// The place of the row's line, once known; `nil` while only the playhead determines the row.
  package var place: SamplePlace?
  /// True if the playhead moves to the row as soon as it is known.
  package var isLeading = false
}

/// The rows of the tree and of the list below it.
struct HistoryTreeRows: Hashable, Sendable {
  var rows: [HistoryTreeRow] = []
  var notes: [HistoryTreeRow] = []
}

/// The parts of an answer needed by the chart's axes.
struct HistoryChartScale: Hashable, Sendable {
  var gaps: [ClosedRange<Timestamp>] = []
  var axis = ValueAxis.share
  /// The range of the curve's values.
  var extent = ValueExtent()
  /// The curves of pinned metrics, in the order they were pinned.
  var pins: [MetricCurve] = []
}
