package import Aggregation
package import History
import Platform

/// Whose numbers a histogram shows.
package enum HistogramSubject: Hashable, Sendable {
  case series(SeriesIdentity)
  /// A histogram of payloads, by the name of its figure.
  case payload(String)
}

/// The panes of the Histogram screen that Tab goes round.
package enum HistogramPane: CaseIterable, Hashable, Sendable {
  case bins, versions, course, split, figures
}

/// What the person did to the Histogram screen, what is known, and what is kept from frame to frame because of it.
package struct HistogramState: Sendable {
  /// What was chosen.
  package internal(set) var options = HistogramOptions()
  /// Whose numbers are shown; `nil` until that is known.
  package internal(set) var subject: HistogramSubject?
  /// The name of the metric to show as soon as it is known.
  var wantedMetric: String?
  /// The metric that was asked for and that the files do not have.
  package internal(set) var unknownMetric: String?
  /// What the other screens were about when this one was shown, the one before it first.
  var subjects: [SeriesIdentity] = []
  package internal(set) var range = TimeSpan.all
  package internal(set) var pane = HistogramPane.bins
  package internal(set) var isMaximised = false
  /// The selected row of each pane, from 0: of the bins, the versions, the columns of time, the groups.
  package internal(set) var cursors: [HistogramPane: Int] = [:]
  /// The numbers by labels and time, and what they are of.
  var cube: (series: SeriesIdentity, cube: SampleCube)?
  var close: (series: SeriesIdentity, HistogramSource.CloseCube)?
  /// All that is recorded of payloads; `nil` until it is known.
  package internal(set) var payloads: PayloadArchive?
  /// Grows when there are other payloads.
  var payloadNumber = 0
  /// Whether the files grew, so that the whole is asked for before a part of it.
  var wantsWhole = false
  /// Grows with every answer about histograms.
  var answerNumber = 0
  /// Grows when the person wants the rows to be cut again.
  var gridNumber = 0
  /// Whether the histogram was opened from the overview of payloads, so that the way back leads there.
  var isFromOverview = false
  /// The rows of the histogram.
  var grid = Derived<GridKey, HistogramGrid?>(nil)
  var derivedContent = Derived<ContentKey, HistogramContent>(HistogramContent())
  var overview = OverviewState()

  package init() {}

  package var content: HistogramContent { derivedContent.value }

  /// What rows are made for: they stay as they are until one of these is changed, however many samples come.
  struct GridKey: Hashable {
    let subject: HistogramSubject
    let scale: HistogramGrid.Scale?
    let sides: [HistogramChoice]
    let only: [String: SampleCube.LabelValue]
    let range: TimeSpan
    let rows: Int
    let number: Int
  }

  /// What the figures depend on.
  struct ContentKey: Hashable {
    let subject: HistogramSubject
    let options: HistogramOptions
    let window: Range<Timestamp>?
    let answer: Int
    let rows: Int
    let columns: Int
    let grid: Int
  }
}
