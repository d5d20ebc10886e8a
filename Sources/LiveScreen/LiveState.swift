import Aggregation
package import DashboardCore
import Platform

/// The sort order of the rows.
package enum SortKey: String, CaseIterable, Sendable {
  case unusual, now, p50, p95, n, change, name

  /// The title in the table header.
  var title: String {
    switch self {
    case .unusual: "worst first"
    case .change: "p95/1h"
    case .name, .now, .p50, .p95, .n: rawValue
    }
  }
}

/// The panes of the Live screen, in Tab order.
package enum LivePane: CaseIterable, Hashable, Sendable {
  case tree, chart, comparison, events
}

/// The user's changes to the Live screen, and the state they require from frame to frame.
package struct LiveState: Sendable {
  package var selection: RowID?
  /// The first visible row.
  package var offset = 0
  package var folded: Set<RowID> = []
  package var sort = SortKey.unusual
  /// True to group rows by bucket, where there is room.
  package var isTree = false
  package var isInverted = false
  /// True if the stored sort order waits for samples.
  var mustSort = false
  /// The stored selection, until the samples are read.
  var keptMetric: String?
  package var rowFilter = RowFilter()
  /// The text of the filter; a text set from outside counts as complete.
  package var filter: String {
    get { rowFilter.text }
    set { rowFilter = RowFilter(newValue, before: rowFilter).settled }
  }
  package var isAutoScaled = true
  package var pane = LivePane.tree
  package var isMaximised = false
  /// The ends of the range being dragged in the chart, in the order of dragging.
  var drag: (begin: Timestamp, end: Timestamp)?
  /// The views before each zoom to a range, oldest first.
  var zooms: [LiveZoom] = []
  /// The metric requested by name that does not exist.
  var unknownMetric: String?
  /// True once the most relevant row was chosen from all data; afterwards the selection no longer moves by itself.
  var isSettled = false
  /// The unusual and the idle series at the last check.
  var order = LiveOrder()
  /// The order of the last sort.
  @Versioned var ranks: [SeriesIdentity: Int] = [:]
  var axis = AxisHold()
  package internal(set) var content = LiveContent()

  /// The layout, requested for every row.
  let layouts = Memo<LiveLayout.Request, LiveLayout>()

  package init() {}
}

extension LiveState {
  /// The range being dragged; `nil` if it is empty.
  var draggedRange: Range<Timestamp>? {
    guard let drag, drag.begin != drag.end else { return nil }
    return min(drag.begin, drag.end)..<max(drag.begin, drag.end)
  }
}

/// The view before a zoom to a range.
struct LiveZoom: Sendable {
  let window: Double
  let zoom: Session.Zoom?
  let playhead: Playhead
}

/// The value axis: grows at once but shrinks only after ten seconds, so that the curve stays readable.
struct AxisHold: Sendable, Equatable {
  static let timeout = 10.0
  private(set) var key: Key?
  private(set) var range: ClosedRange<Double>?
  /// The time since which a smaller axis would do.
  private(set) var tooWideSince: Timestamp?

  /// The identity of the axis; a different one starts over.
  struct Key: Hashable, Sendable {
    var series: SeriesIdentity
    var pins: [SeriesIdentity] = []
    var isLogarithmic: Bool
  }

  /// When the axis will shrink if nothing changes.
  var deadline: Timestamp? { tooWideSince.map { $0 + Self.timeout } }

  /// Fits the axis to the current curve and returns the axis to draw.
  ///
  /// - Parameter isFixed: True if the user turned automatic scaling off.
  mutating func fit(
    _ wanted: ClosedRange<Double>, for key: Key, now: Timestamp, isFixed: Bool
  ) -> ClosedRange<Double> {
    guard self.key == key, let held = range else { return reset(wanted, key) }
    if isFixed { return held }
    let grown = min(held.lowerBound, wanted.lowerBound)...max(held.upperBound, wanted.upperBound)
    if grown == wanted { return reset(wanted, key) }
    range = grown
    let since = tooWideSince ?? now
    tooWideSince = since
    return now >= since + Self.timeout ? reset(wanted, key) : grown
  }

  private mutating func reset(_ wanted: ClosedRange<Double>, _ key: Key) -> ClosedRange<Double> {
    (self.key, range, tooWideSince) = (key, wanted, nil)
    return wanted
  }
}
