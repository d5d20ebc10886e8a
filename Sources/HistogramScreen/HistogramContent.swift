import Aggregation
import Codecs
import DashboardCore
import Platform
import TelemetryCore

/// The content of the Histogram screen at this moment: computed once per change, so that drawing only draws.
package struct HistogramContent: Sendable {
  /// Fewer samples than this say little.
  static let fewSamples = 20

  /// One version, with its average and its 95th percentile.
  struct Version: Sendable, Equatable {
    let name: String
    let count: Int
    let average: Double?
    /// `nil` of too few samples.
    let p95: Quantile?
    let marks: PayloadMarks
    /// True if it is the whole of one of the two sides.
    let isA: Bool
    let isB: Bool

    var isFew: Bool { count < HistogramContent.fewSamples }
  }

  /// The samples of A that have one value in the dimension that they are split by.
  struct Group: Sendable {
    let value: SampleCube.LabelValue
    let count: Int
    /// Its part of A, from 0 to 1.
    let share: Double
    let average: Double?
    /// Percentiles 50, 95 and 99.
    let quantiles: [Quantile]
    /// Samples by row of the histogram.
    let shape: [Int]
    /// The conclusion against the same of B; `nil` where B has none of it.
    let verdict: ComparisonVerdict?
    /// By what part of B's average A's is larger.
    let change: Double?

    var isFew: Bool { count < HistogramContent.fewSamples }
  }

  var figures: HistogramFigures?
  var marksA: PayloadMarks = []
  var marksB: PayloadMarks = []
  /// The stretches of time that the sides are really of, where they are told by whole slots.
  var coveredA: Range<Timestamp>?
  var coveredB: Range<Timestamp>?
  /// Signs before the counts of the sides: those of whole slots are not of the requested stretch.
  var countSigns: (a: String, b: String) { (coveredA == nil ? "" : "~", coveredB == nil ? "" : "~") }
  /// Payloads of the two sides that do not count.
  var leftOut = 0
  /// The selected averages by method, for payloads; of samples there is one.
  var methods: [(method: AverageMethod, a: HistogramSide.Average?, b: HistogramSide.Average?)] = []
  var versions: [Version] = []
  /// The dimension that A is split by.
  var group: String?
  var groups: [Group] = []
  /// How many groups there are, those included that are not shown.
  var groupCount = 0
  var course = HistogramCourse()
  /// Fields that have too many values to choose by.
  var fieldsGivenUp: [String] = []
  /// The names of all dimensions.
  var dimensions: [String] = []
  var unit = ValueUnit.plain
  /// The values of a text, which are the rows; `nil` for numbers.
  var labels: [String]?

  init() {}

  /// The conclusion; `nil` without two sides.
  var verdict: VerdictSentence?
}

/// The bins of a stretch of time: its begin, and its length in seconds.
typealias Stretch = (start: Timestamp, length: Double, bins: [HistogramBin])

/// A histogram through time: how many samples each stretch of time has in each row of values.
struct HistogramCourse: Sendable {
  /// The rows, from the lowest values to the highest.
  var grid = HistogramGrid(scale: .linear, rows: [])
  /// Where the first column begins, and how long each is, in seconds.
  var start = Timestamp(0)
  var step = 1.0
  /// Counts of both sides by column and row.
  var columns: [[Int]] = []
  /// The part of them that is B's.
  var columnsOfB: [[Int]] = []
  /// The largest count of all.
  var most = 0
  /// True if rows are narrower than bins, so that samples may lie in other rows than they are counted in.
  var isGuess = false

  init() {}

  /// - Parameters:
  ///   - a: the bins of A by stretches of time.
  ///   - b: those of B.
  ///   - columns: how many columns there is room for.
  init(_ a: [Stretch], _ b: [Stretch], on grid: HistogramGrid, columns: Int) {
    self.grid = grid
    let both = a + b
    let (begins, ends) = (both.map(\.start), both.map { $0.start + $0.length })
    guard columns > 0, let first = begins.min(), let last = ends.max() else { return }
    let end = max(last, first + 1e-3)
    step = RoundTime.step(atLeast: (end - first) / Double(columns) * 1.000_001)
    start = first.rounded(.down, toMultipleOf: step)
    // The round begin may have made one column more than there is room for.
    if (end - start) / step > Double(columns) { step = RoundTime.step(atLeast: step * 1.000_001) }
    start = first.rounded(.down, toMultipleOf: step)
    let count = Int(max(1, min(Double(columns), ((end - start) / step).rounded(.up))))
    self.columns = Array(repeating: Array(repeating: 0, count: grid.rows.count), count: count)
    columnsOfB = self.columns
    for (stretch, isB) in a.map({ ($0, false) }) + b.map({ ($0, true) }) {
      let column = Int(max(0, min(Double(count - 1), (stretch.start - start) / step)))
      let found = grid.spread(stretch.bins)
      isGuess = isGuess || found.isGuess
      for (row, count) in found.counts.enumerated() {
        self.columns[column][row] = self.columns[column][row].addingSaturated(count)
        if isB { columnsOfB[column][row] = columnsOfB[column][row].addingSaturated(count) }
      }
    }
    most = self.columns.reduce(0) { max($0, $1.max() ?? 0) }
  }

  /// The stretch of time of a column.
  func window(ofColumn column: Int) -> Range<Timestamp> {
    let begin = start + Double(column) * step
    return begin..<begin + step
  }
}
