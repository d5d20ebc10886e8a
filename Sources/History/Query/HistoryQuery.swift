package import Aggregation
package import Platform

/// A question to the history: one value that says it all, so that the newest replaces all others.
package struct HistoryQuery: Hashable, Sendable {
  /// The stretch in view: from its lower bound on, up to but without its upper one.
  package var window: Range<Timestamp>
  /// The series that chart and table show; `nil` shows the tree alone.
  package var focus: SeriesIdentity?
  /// One text (or `true` and `false`) that the values of the focus are narrowed to; `nil` takes all of them.
  package var narrowed: String?
  /// Other series whose charts are wanted over the same steps.
  package var pins: [SeriesIdentity] = []
  /// How many points the chart has room for at most.
  package var columns: Int
  /// The moment that all screens show.
  package var playhead: Timestamp
  /// Which rows of the table are wanted.
  package var page: HistoryPageQuery
  /// True if the line at the page's anchor is wanted, with the values of all other series at that time.
  package var wantsDetail: Bool
  /// How long before the playhead all samples are wanted, in seconds, for screens that draw from a `SeriesStore`.
  package var storeSpan: Double?
  /// A part of the time whose statistics are wanted; it may reach beyond the window.
  package var selection: Range<Timestamp>?
  /// Which samples of the focus the table shows; `nil` for all of the window.
  package var filter: SampleFilter?
  /// The query of a histogram; its answer ignores the window.
  package var histogram: HistogramQuery?

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

/// Which rows of the table of samples are wanted.
package struct HistoryPageQuery: Hashable, Sendable {
  /// The order of the rows; equal times are in the order of their lines.
  package enum Order: Hashable, Sendable {
    case time
    /// By value, the largest first or the smallest.
    case value(descending: Bool)
  }

  /// The row that the page is built around.
  package enum Anchor: Hashable, Sendable {
    /// The last row at or before the playhead, or the first one after it where there is none.
    case playhead
    /// The row of this number in the window, from 0; beyond the last row the last one.
    case row(Int)
    /// Offset in rows after (before, if negative) the sample at this place, by its place in the order.
    case sample(SamplePlace, offset: Int)
  }

  package var order: Order
  package var anchor: Anchor
  /// How many rows are wanted before the anchor, and from the anchor on.
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
  /// Where its line begins, in bytes from the start of the file.
  package let offset: UInt64
  /// The sample's time.
  package let time: Timestamp

  package init(file: Int, offset: UInt64, time: Timestamp) {
    self.file = file
    self.offset = offset
    self.time = time
  }
}
