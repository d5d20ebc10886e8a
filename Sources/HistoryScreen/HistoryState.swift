package import Aggregation
package import DashboardCore
package import History
package import Platform

/// The panes of the History screen that Tab goes round.
package enum HistoryPane: CaseIterable, Hashable, Sendable {
  case tree, chart, table, detail
}

/// The person's changes to the History screen, and the state derived from them and from the answers.
package struct HistoryState: Sendable {
  /// The length of the window in seconds; `nil` for the whole history.
  package internal(set) var span: Double?
  /// The stretch in view.
  package internal(set) var window = Timestamp(0)..<Timestamp(1)
  /// The name of the series to show as soon as it is known.
  var wantedFocus: String?
  /// The name that was asked for and that no series has.
  var unknownFocus: String?
  /// The subject of the other screens, to begin with.
  var suggestedFocus: SeriesIdentity?
  /// The series that chart and table show.
  package internal(set) var focus: SeriesIdentity?
  /// The one value of the focus that is shown; `nil` for all of them.
  package internal(set) var narrowed: String?
  /// Which samples of the focus the table shows, where another screen chose some; `nil` for all of them.
  package internal(set) var sampleFilter: SampleFilter?
  /// The way back to the screen that asked for samples; `nil` where none did.
  var ticket: ReturnTicket?
  /// Order and cursor of the table; see ``HistoryTableChoice``.
  var table = HistoryTableChoice(destination: ValueVersion())
  /// The ends of the range that is selected in the chart, where it began first.
  package internal(set) var selection: (begin: Timestamp, end: Timestamp)?
  /// The windows that were zoomed from, the first one first.
  var zooms: [HistoryZoom] = []
  /// True if the end of the range moves with the playhead.
  var isSelecting = false
  package internal(set) var pane = HistoryPane.tree
  package internal(set) var isMaximised = false
  /// Rows of the tree that are not folded as they usually are.
  package internal(set) var toggled: Set<HistoryRowID> = []
  package internal(set) var rowFilter = RowFilter()
  /// The text of the filter; what is set is whole.
  package internal(set) var filter: String {
    get { rowFilter.text }
    set { rowFilter = RowFilter(newValue, before: rowFilter).settled }
  }
  /// The selected row of the tree.
  package internal(set) var row: HistoryRowID?
  /// The place of the selected row when the tree was drawn last, among its rows and then those under it.
  var rowPlace: Int?
  /// The first row of the tree that is seen, and that of the list under it.
  var offset = 0
  var listOffset = 0
  /// The first row of the table that is seen, counted in the window.
  var tableOffset = 0
  /// True if the detail pane shows the raw line.
  package internal(set) var isRaw = false
  /// All series in the order of the tree, whatever is filtered.
  var series = Derived<SeriesKey, [HistorySeries]>([])
  var tree = Derived<TreeKey, HistoryTreeRows>(HistoryTreeRows())
  var scale = Derived<ScaleKey, HistoryChartScale>(HistoryChartScale())

  package init() {}

  /// The inputs that the rows of the tree depend on.
  struct TreeKey: Hashable {
    var series: SeriesKey
    var toggled: Set<HistoryRowID>
    var filter: RowFilter
    /// The figures and states the filter was checked against; `nil` where the names alone decide.
    var filtered: FilterMoment?
    var notes: HistoryNotes
  }

  /// Which list of series the tree shows: that of the samples that were read, until the history has answered.
  enum SeriesKey: Hashable {
    case store(version: Int)
    case history(ValueVersion)
  }

  /// The inputs that the chart's scale depends on.
  struct ScaleKey: Hashable {
    var answer: ValueVersion
    var focus: SeriesIdentity?
    var isLogarithmic: Bool?
    var pins: [SeriesIdentity]
    var limit: MetricLimit?
  }

  /// The rows of the tree.
  package var rows: [HistoryTreeRow] { tree.value.rows }
  /// Saved views and marks, which stand under it, with their titles.
  package var noteRows: [HistoryTreeRow] { tree.value.notes }
  /// Stretches without a sample that are much longer than usual.
  package var gaps: [ClosedRange<Timestamp>] { scale.value.gaps }
  /// The value axis of the chart.
  var axis: ValueAxis { scale.value.axis }
}

/// A window that a selected range was zoomed to from.
struct HistoryZoom: Hashable, Sendable {
  var span: Double?
  var window: Range<Timestamp>
}

/// The order of the table and its selected row, which hold until the playhead goes elsewhere: then the row is that of the
/// playhead again, by time, for in no other order has a moment its place.
struct HistoryTableChoice: Hashable, Sendable {
  /// The version of ``Session/destination`` that it was made at.
  var destination: ValueVersion
  var order = HistoryPageQuery.Order.time
  var cursor = HistoryCursor()
}

/// Which row of the table is selected.
package struct HistoryCursor: Hashable, Sendable {
  /// The anchor that the next page is built around.
  package var anchor = HistoryPageQuery.Anchor.playhead
  /// Where the row's line stands, once that is known; `nil` while the playhead alone tells.
  package var place: SamplePlace?
  /// True if the playhead goes to the row as soon as it is known.
  package var isLeading = false
}

/// The rows of the tree and of the list under it.
struct HistoryTreeRows: Hashable, Sendable {
  var rows: [HistoryTreeRow] = []
  var notes: [HistoryTreeRow] = []
}

/// The parts of an answer that the chart's axes need.
struct HistoryChartScale: Hashable, Sendable {
  var gaps: [ClosedRange<Timestamp>] = []
  var axis = ValueAxis.share
  /// The values of the curve.
  var extent = ValueExtent()
  /// The curves of pinned metrics, in the order in which they were pinned.
  var pins: [MetricCurve] = []
}
