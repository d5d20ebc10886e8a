import Aggregation
package import DashboardCore
import Platform

/// The sort order of the rows.
package enum SortKey: String, CaseIterable, Sendable {
  case unusual, now, p50, p95, n, change, name

  /// As shown in the table's title.
  var title: String {
    switch self {
    case .unusual: "worst first"
    case .change: "p95/1h"
    case .name, .now, .p50, .p95, .n: rawValue
    }
  }
}

/// The panes of the Live screen that Tab goes round.
package enum LivePane: CaseIterable, Hashable, Sendable {
  case tree, chart, comparison, events
}

/// The person's changes to the Live screen, and the state kept from frame to frame because of them.
package struct LiveState: Sendable {
  package var selection: RowID?
  /// The first row seen.
  package var offset = 0
  package var folded: Set<RowID> = []
  package var sort = SortKey.unusual
  /// True if the rows stand under their buckets, where there is room for that.
  package var isTree = false
  package var isInverted = false
  /// True if the order that was kept waits for samples to sort.
  var mustSort = false
  /// The metric that was kept as the selected one, until the samples are read.
  var keptMetric: String?
  package var rowFilter = RowFilter()
  /// The text of the filter; what is set is whole.
  package var filter: String {
    get { rowFilter.text }
    set { rowFilter = RowFilter(newValue, before: rowFilter).settled }
  }
  package var isAutoScaled = true
  package var pane = LivePane.tree
  package var isMaximised = false
  /// The ends of the range that is being dragged over in the chart, where it began first.
  var drag: (begin: Timestamp, end: Timestamp)?
  /// Views before each zoom to a range, the first one first.
  var zooms: [LiveZoom] = []
  /// The metric that was asked for by name and is not there.
  var unknownMetric: String?
  /// True if the row that tells most was chosen from all that was there; from then on nothing moves by itself.
  var isSettled = false
  /// Series that were unusual, and those that were idle, at the last check.
  var order = LiveOrder()
  /// The order that the last sort gave.
  @Versioned var ranks: [SeriesIdentity: Int] = [:]
  var axis = AxisHold()
  package internal(set) var content = LiveContent()

  /// The layout, which is asked for by each row.
  let layouts = Memo<LiveLayout.Request, LiveLayout>()

  package init() {}
}

extension LiveState {
  /// The range that is being dragged over; `nil` where it has no length.
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

/// The value axis: it grows at once and shrinks only after ten seconds, so that the curve can be read.
struct AxisHold: Sendable, Equatable {
  static let timeout = 10.0
  private(set) var key: Key?
  private(set) var range: ClosedRange<Double>?
  /// Since when less would do.
  private(set) var tooWideSince: Timestamp?

  /// The identity of the axis; a different one starts again.
  struct Key: Hashable, Sendable {
    var series: SeriesIdentity
    var pins: [SeriesIdentity] = []
    var isLogarithmic: Bool
  }

  /// When the axis will shrink if nothing changes.
  var deadline: Timestamp? { tooWideSince.map { $0 + Self.timeout } }

  /// Fits the axis to what the curve needs now; returns the axis to draw.
  ///
  /// - Parameter isFixed: whether the person stopped the automatic scale.
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
