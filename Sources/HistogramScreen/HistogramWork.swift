import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

/// The versions of the numbers in a histogram.
struct HistogramNumbers: Hashable, Sendable {
  var cube = ValueVersion()
  var close = ValueVersion()
  var payloads = ValueVersion()
}

/// The user's request to choose new rows.
struct HistogramFit: Hashable, Sendable {
  let numbers: HistogramNumbers
  let window: Range<Timestamp>?
}

/// The inputs of the figures on the Histogram screen.
struct HistogramKey: Hashable, Sendable {
  let subject: HistogramSubject
  let options: HistogramOptions
  let window: Range<Timestamp>?
  /// Start of the history: the second side may be everything before the window.
  let begin: Timestamp?
  let numbers: HistogramNumbers
  let fitted: HistogramFit?
  /// Maximum number of rows.
  let rows: Int
  /// Columns and rows of the histogram over time.
  let courseSize: Size
}

/// Computes the content of the Histogram screen, which takes longer than a frame; the result comes back as a message.
struct HistogramWork: Sendable {
  struct Result: Sendable {
    let key: HistogramKey
    fileprivate let gridKey: GridKey
    let content: HistogramContent
  }

  /// The inputs of the rows, which stay the same until one of these changes, however many samples arrive.
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
  /// The rows to keep; `nil` to choose new ones.
  private let kept: HistogramGrid?

  /// - Parameter shown: The shown result, whose rows are kept if possible.
  init(_ key: HistogramKey, _ maker: HistogramMaker, sides: [HistogramChoice], after shown: Result?) {
    (self.key, self.maker) = (key, maker)
    gridKey = GridKey(
      subject: key.subject, scale: key.options.scale, sides: sides, only: key.options.sides.only,
      range: key.options.sides.range,
      rows: key.rows, fitted: key.fitted)
    // An empty grid is not kept: the first samples define the rows.
    let grid = shown?.gridKey == gridKey ? shown?.content.figures?.grid : nil
    kept = grid.flatMap { $0.rows.isEmpty ? nil : $0 }
  }

  func run() -> Result {
    let content = maker.content(
      on: kept, rows: key.rows, courseSize: (key.courseSize.width, key.courseSize.height))
    return Result(key: key, gridKey: gridKey, content: content)
  }
}
