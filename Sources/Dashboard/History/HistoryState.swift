package import Aggregation
package import History

/// The panes of the History screen that Tab goes round.
package enum HistoryPane: CaseIterable, Hashable, Sendable {
  case tree, chart, table, detail
}

/// What the person did to the History screen, what is known, and what is kept from frame to frame because of it.
package struct HistoryState: Sendable {
  /// Whether there is somebody to ask.
  package internal(set) var isAvailable = false
  /// The length of the window in seconds; `nil` for the whole history.
  package internal(set) var span: Double?
  /// The stretch in view, in seconds since 2001.
  package internal(set) var window: Range<Double> = 0..<1
  /// The name of the series to show as soon as it is known.
  var wantedFocus: String?
  /// The name that was asked for and that no series has.
  var unknownFocus: String?
  /// The series that chart and table show.
  package internal(set) var focus: SeriesIdentity?
  /// The one value of the focus that is shown; `nil` for all of them.
  package internal(set) var narrowed: String?
  /// Which samples of the focus the table shows, where another screen chose some; `nil` for all of them.
  package internal(set) var sampleFilter: SampleFilter?
  /// What the Histogram screen stood on when its samples were opened; `nil` where they were not.
  var returnPlayhead: Playhead?
  package internal(set) var order = HistoryPageQuery.Order.time
  /// The row of the table that is the selected one.
  package internal(set) var cursor = HistoryCursor()
  /// The ends of the range that is selected in the chart, where it began first, in seconds since 2001.
  package internal(set) var selection: (begin: Double, end: Double)?
  /// Whether the end of the range moves with the playhead.
  var isSelecting = false
  package internal(set) var pane = HistoryPane.tree
  package internal(set) var isMaximised = false
  /// Rows of the tree that are not folded as they usually are.
  package internal(set) var toggled: Set<HistoryRowID> = []
  package internal(set) var filter = ""
  /// The selected row of the tree.
  package internal(set) var row: HistoryRowID?
  /// The first row of the tree that is seen, and that of the list under it.
  var offset = 0
  var listOffset = 0
  /// The first row of the table that is seen, counted in the window.
  var tableOffset = 0
  /// Whether the detail pane shows the raw line.
  package internal(set) var isRaw = false
  /// What was asked last, and of which version of the files.
  package internal(set) var asked: HistoryQuery?
  var askedVersion = 0
  /// How many samples had come in when it was asked.
  var askedRecorded = 0
  /// When it was asked, on the wall clock.
  var askedAt = -Double.infinity
  package internal(set) var version = 0
  /// The newest answer.
  package internal(set) var picture: HistoryPicture?
  /// Grows with every answer.
  var pictureNumber = 0
  /// Grows with every answer that has other series or other counts.
  var seriesNumber = 0
  package internal(set) var work: HistoryWork?
  /// Whether the person gave up the first reading; nothing is asked until they want it again.
  package internal(set) var isGivenUp = false
  package internal(set) var content = HistoryContent()

  package init() {}
}

/// Which row of the table is selected.
package struct HistoryCursor: Hashable, Sendable {
  /// What the next page is built around.
  package var anchor = HistoryPageQuery.Anchor.playhead
  /// Where the row's line stands, once that is known; `nil` while the playhead alone tells.
  package var place: SamplePlace?
  /// Whether the playhead goes to the row as soon as it is known.
  package var isLeading = false
}

/// What the History screen shows at this moment: computed once a change, so that drawing only draws.
package struct HistoryContent: Sendable {
  /// The tree.
  package internal(set) var rows: [HistoryTreeRow] = []
  /// The place of the selected row among those of the tree and then those under it.
  var selected: Int?
  /// Saved looks and marks, which stand under it.
  package internal(set) var notes: [HistoryTreeRow] = []
  var rowsKey: RowsKey?
  /// Stretches without a sample that are much longer than usual, in seconds since 2001.
  var gaps: [ClosedRange<Double>] = []
  /// Lowest and highest value of the chart, on round numbers.
  var range: ClosedRange<Double> = 0...1

  /// What the rows depend on.
  struct RowsKey: Hashable {
    var series: Int
    var toggled: Set<HistoryRowID>
    var filter: String
    var notes: HistoryNotes
  }
}
