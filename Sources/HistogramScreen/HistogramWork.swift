import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

/// Which versions of the numbers a histogram is of.
struct HistogramNumbers: Hashable, Sendable {
  var cube = ValueVersion()
  var close = ValueVersion()
  var payloads = ValueVersion()
}

/// The person's request on how to cut the rows of a histogram.
struct HistogramFit: Hashable, Sendable {
  let numbers: HistogramNumbers
  let window: Range<Timestamp>?
}

/// The inputs that the figures of the Histogram screen depend on.
struct HistogramKey: Hashable, Sendable {
  let subject: HistogramSubject
  let options: HistogramOptions
  let window: Range<Timestamp>?
  /// Where the history begins: the second side may be all that was before the window.
  let begin: Timestamp?
  let numbers: HistogramNumbers
  let fitted: HistogramFit?
  /// How many rows there is room for.
  let rows: Int
  /// Columns and rows of the histogram through time.
  let courseSize: Size
}

/// Makes what the Histogram screen shows, which takes longer than a frame; the result comes back as a message.
struct HistogramWork: Sendable {
  struct Result: Sendable {
    let key: HistogramKey
    fileprivate let gridKey: GridKey
    let content: HistogramContent
  }

  /// The inputs that rows are made for: they stay as they are until one of these changes, however many samples come.
  fileprivate struct GridKey: Hashable {
    let subject: HistogramSubject
    let scale: HistogramGrid.Scale?
    let sides: [HistogramChoice]
    let only: [String: SampleCube.LabelValue]
    let range: TimeSpan
    let rows: Int
    let fitted: HistogramFit?
  }

  private let key: HistogramKey
  private let gridKey: GridKey
  private let maker: HistogramMaker
  /// The rows that stay; `nil` to cut them again.
  private let kept: HistogramGrid?

  /// - Parameter shown: what is shown, whose rows stay if they can.
  init(_ key: HistogramKey, _ maker: HistogramMaker, sides: [HistogramChoice], after shown: Result?) {
    (self.key, self.maker) = (key, maker)
    gridKey = GridKey(
      subject: key.subject, scale: key.options.scale, sides: sides, only: key.options.sides.only,
      range: key.options.sides.range,
      rows: key.rows, fitted: key.fitted)
    // Rows of no samples are none: the first samples make others.
    let grid = shown?.gridKey == gridKey ? shown?.content.figures?.grid : nil
    kept = grid.flatMap { $0.rows.isEmpty ? nil : $0 }
  }

  func run() -> Result {
    let content = maker.content(
      on: kept, rows: key.rows, courseSize: (key.courseSize.width, key.courseSize.height))
    return Result(key: key, gridKey: gridKey, content: content)
  }
}
