import Aggregation
package import DashboardCore
package import History
import Platform

/// The panes of the Histogram screen, in Tab order.
package enum HistogramPane: CaseIterable, Hashable, Sendable {
  case bins, versions, course, split, figures
}

/// The samples that a cube is made of.
struct CubeSubject: Hashable, Sendable {
  let series: SeriesIdentity
  var scope = HostScope.all
  /// The host that is distinguished from all others.
  var host: String?
}

/// The user's changes to the Histogram screen, the known data, and the state kept from frame to frame.
package struct HistogramState: Sendable {
  package internal(set) var options = HistogramOptions()
  /// The subject; `nil` until it is known.
  package internal(set) var subject: HistogramSubject?
  /// True if the screen chose the subject itself, because the requested metric has nothing to compare.
  var isSubstitute = false
  /// The name of the metric to show as soon as it is known.
  var wantedMetric: String?
  /// The requested metric that the files do not have.
  package internal(set) var unknownMetric: String?
  /// Subjects of the other screens when this one was opened, the previous screen's first.
  var subjects: [SeriesIdentity] = []
  /// The way back to the screen that requested the distribution.
  var ticket: ReturnTicket?
  /// True to open the picker of sides as soon as they are known.
  var isChoosing = false
  /// The range chosen on other screens when this one was left.
  var seen: TimeSpan?
  package internal(set) var pane = HistogramPane.bins
  package internal(set) var isMaximised = false
  /// The selected row of each pane, from 0: a bin, a version, a column of time or a group.
  package internal(set) var cursors: [HistogramPane: Int] = [:]
  /// The numbers by label and time, and what they are of.
  @Versioned var cube: (subject: CubeSubject, cube: SampleCube)?
  @Versioned var close: (subject: CubeSubject, HistogramSource.CloseCube)?
  /// All recorded payloads; `nil` until they are known.
  @Versioned package internal(set) var payloads: PayloadArchive?
  /// True if the files grew, so that the whole is queried before a part of it.
  var wantsWhole = false
  /// The user's request to choose new rows; `nil` until there is one.
  var fitted: HistogramFit?
  /// True if the histogram was opened from the overview of payloads, which is then the way back.
  var isFromPayloads = false
  /// The shown content and its inputs; it stays until the next result is ready.
  var shown: HistogramWork.Result?
  /// The content being computed off the loop.
  var underWay: HistogramKey?

  package init() {}

  package var content: HistogramContent { shown?.content ?? HistogramContent() }
  /// The versions of the known numbers.
  var numbers: HistogramNumbers { HistogramNumbers(cube: $cube, close: $close, payloads: $payloads) }
}
