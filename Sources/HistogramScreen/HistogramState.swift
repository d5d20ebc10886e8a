import Aggregation
package import DashboardCore
package import History
import Platform

/// The panes of the Histogram screen that Tab goes round.
package enum HistogramPane: CaseIterable, Hashable, Sendable {
  case bins, versions, course, split, figures
}

/// The person's changes to the Histogram screen, the known facts, and the state kept from frame to frame because of
/// them.
package struct HistogramState: Sendable {
  /// The chosen options.
  package internal(set) var options = HistogramOptions()
  /// Whose numbers are shown; `nil` until that is known.
  package internal(set) var subject: HistogramSubject?
  /// True if the screen chose the subject by itself, for the metric that was asked for has nothing to compare.
  var isSubstitute = false
  /// The name of the metric to show as soon as it is known.
  var wantedMetric: String?
  /// The metric that was asked for and that the files do not have.
  package internal(set) var unknownMetric: String?
  /// Subjects of the other screens when this one was shown, that of the one before it first.
  var subjects: [SeriesIdentity] = []
  /// The way back to the screen that asked for the distribution.
  var ticket: ReturnTicket?
  /// True if the person is asked what to compare, as soon as that is known.
  var isChoosing = false
  /// The range that was chosen on other screens when this one was left.
  var seen: TimeSpan?
  package internal(set) var pane = HistogramPane.bins
  package internal(set) var isMaximised = false
  /// The selected row of each pane, from 0: of the bins, the versions, the columns of time, the groups.
  package internal(set) var cursors: [HistogramPane: Int] = [:]
  /// The numbers by labels and time, and what they are of.
  @Versioned var cube: (series: SeriesIdentity, cube: SampleCube)?
  @Versioned var close: (series: SeriesIdentity, HistogramSource.CloseCube)?
  /// All that is recorded of payloads; `nil` until it is known.
  @Versioned package internal(set) var payloads: PayloadArchive?
  /// True if the files grew, so that the whole is asked for before a part of it.
  var wantsWhole = false
  /// The person's request to cut the rows again; `nil` until there is one.
  var fitted: HistogramFit?
  /// True if the histogram was opened from all that payloads tell, so that the way back leads there.
  var isFromPayloads = false
  /// The shown content, and the inputs it was made from; it stays as it is until that is done for something else.
  var shown: HistogramWork.Result?
  /// The content being made, beside the loop.
  var underWay: HistogramKey?

  package init() {}

  package var content: HistogramContent { shown?.content ?? HistogramContent() }
  /// The numbers that are known.
  var numbers: HistogramNumbers { HistogramNumbers(cube: $cube, close: $close, payloads: $payloads) }
}
