package import Aggregation
package import Platform

/// A query of the history as a single value, so that the newest replaces all others.
package struct HistoryQuery: Hashable, Sendable {
  /// The visible time range, from the lower bound up to but not including the upper one.
  package var window: Range<Timestamp>
  /// The series shown by chart and table; `nil` shows only the tree.
  package var focus: SeriesIdentity?
  /// A text (or `true` or `false`) to which the values of the focus are narrowed; `nil` for all values.
  package var narrowed: String?
  /// Other series to chart over the same steps.
  package var pins: [SeriesIdentity] = []
  /// Maximum number of points in the chart.
  package var columns: Int
  /// The moment shown by all screens.
  package var playhead: Timestamp
  /// The wanted rows of the table.
  package var page: HistoryPageQuery
  /// True if the sample at the page's anchor is wanted in detail, with the values of all other series at that time.
  package var wantsDetail: Bool
  /// Time before the playhead for which all samples are wanted, in seconds, for screens that draw from a `SeriesStore`.
  package var storeSpan: Double?
  /// A time range whose statistics are wanted; it may extend beyond the window.
  package var selection: Range<Timestamp>?
  /// The filter for the samples in the table; `nil` for all of the window.
  package var filter: SampleFilter?
  /// The query of a histogram; its answer ignores the window.
  package var histogram: HistogramQuery?
  /// The hosts that the answer covers.
  package var scope = HostScope.all
  /// The comparison of all hosts by the focus; `nil` if unwanted.
  package var hosts: HostsQuery?

  package init(
    window: Range<Timestamp>, focus: SeriesIdentity? = nil, narrowed: String? = nil, columns: Int = 0,
    playhead: Timestamp, page: HistoryPageQuery = HistoryPageQuery(), wantsDetail: Bool = false,
    storeSpan: Double? = nil, selection: Range<Timestamp>? = nil, filter: SampleFilter? = nil,
    histogram: HistogramQuery? = nil
  ) {
    self.window = window
    self.focus = focus
    self.narrowed = narrowed
    self.columns = columns
    self.playhead = playhead
    self.page = page
    self.wantsDetail = wantsDetail
    self.storeSpan = storeSpan
    self.selection = selection
    self.filter = filter
    self.histogram = histogram
  }
}

/// The wanted rows of the table of samples.
package struct HistoryPageQuery: Hashable, Sendable {
  /// The order of the rows; equal times are in the order of their lines.
  package enum Order: Hashable, Sendable {
    case time
    /// By value, largest or smallest first.
    case value(descending: Bool)
  }

  /// The row that the page is built around.
  package enum Anchor: Hashable, Sendable {
    /// The last row at or before the playhead, or the first one after it if there is none.
    case playhead
    /// The row with this number in the window, from 0, or the last row if there are fewer.
    case row(Int)
    /// Offset in rows after (before, if negative) the sample at this place, by its place in the order.
    case sample(SamplePlace, offset: Int)
  }

  package var order: Order
  package var anchor: Anchor
  /// Number of wanted rows before the anchor, and from the anchor on.
  package var before: Int
  package var after: Int

  package init(order: Order = .time, anchor: Anchor = .playhead, before: Int = 0, after: Int = 0) {
    self.order = order
    self.anchor = anchor
    self.before = before
    self.after = after
  }
}

/// The place of a sample's line.
package struct SamplePlace: Hashable, Sendable {
  /// The number of the file in the history, from 0.
  package let file: Int
  /// Byte offset of its line in the file.
  package let offset: UInt64
  /// The sample's time.
  package let time: Timestamp

  package init(file: Int, offset: UInt64, time: Timestamp) {
    self.file = file
    self.offset = offset
    self.time = time
  }
}
