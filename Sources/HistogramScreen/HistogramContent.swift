import Aggregation
import Codecs
import DashboardCore
import Platform
import TelemetryCore

/// The content of the Histogram screen: computed once per change, so that drawing only draws.
package struct HistogramContent: Sendable {
  /// Below this many samples, figures are unreliable.
  static let fewSamples = 20

  /// One version, with its average and its 95th percentile.
  struct Version: Sendable, Equatable {
    let name: String
    let count: Int
    let average: Double?
    /// `nil` if there are too few samples.
    let p95: Quantile?
    let marks: PayloadMarks
    /// True if this version makes up all of a side.
    let isA: Bool
    let isB: Bool

    var isFew: Bool { count < HistogramContent.fewSamples }
  }

  /// The samples of A with one value of the split dimension.
  struct Group: Sendable {
    let value: SampleCube.LabelValue
    let count: Int
    /// Its share of A, from 0 to 1.
    let share: Double
    let average: Double?
    /// Percentiles 50, 95 and 99.
    let quantiles: [Quantile]
    /// Samples by row of the histogram.
    let shape: [Int]
    /// The verdict against the same group of B; `nil` if B has none.
    let verdict: ComparisonVerdict?
    /// The relative change of the average from B to A.
    let change: Double?

    var isFew: Bool { count < HistogramContent.fewSamples }
  }

  var figures: HistogramFigures?
  var marksA: PayloadMarks = []
  var marksB: PayloadMarks = []
  /// The time ranges that the sides really cover, where those consist of whole slots.
  var coveredA: Range<Timestamp>?
  var coveredB: Range<Timestamp>?
  /// Signs before the counts of the sides: counts of whole slots do not match the requested range exactly.
  var countSigns: (a: String, b: String) { (coveredA == nil ? "" : "~", coveredB == nil ? "" : "~") }
  /// Number of payloads of both sides that do not count.
  var leftOut = 0
  /// The averages by method for payloads; samples have a single one.
  var methods: [(method: AverageMethod, a: HistogramSide.Average?, b: HistogramSide.Average?)] = []
  var versions: [Version] = []
  /// The dimension by which A is split.
  var group: String?
  var groups: [Group] = []
  /// Number of all groups, including those not shown.
  var groupCount = 0
  var course = HistogramCourse()
  /// Fields with too many values to select by.
  var fieldsGivenUp: [String] = []
  /// The names of all dimensions.
  var dimensions: [String] = []
  var unit = ValueUnit.plain
  /// The values of a text, one per row; `nil` for numbers.
  var labels: [String]?

  init() {}

  /// The verdict; `nil` without two sides.
  var verdict: VerdictSentence?
}

/// The bins of a time range: its start, and its length in seconds.
typealias Stretch = (start: Timestamp, length: Double, bins: [HistogramBin])

/// A histogram over time: the number of samples in each time range and row of values.
struct HistogramCourse: Sendable {
  /// The rows, from the lowest to the highest values.
  var grid = HistogramGrid(scale: .linear, rows: [])
  /// Start of the first column, and length of each column in seconds.
  var start = Timestamp(0)
  var step = 1.0
  /// Counts of both sides by column and row.
  var columns: [[Int]] = []
  /// The part of the counts that belongs to B.
  var columnsOfB: [[Int]] = []
  /// The largest count of all.
  var most = 0
  /// True if rows are narrower than bins, so that samples may belong to other rows than those they are counted in.
  var isGuess = false

  init() {}

  /// - Parameters:
  ///   - a: The bins of A by time range.
  ///   - b: The bins of B by time range.
  ///   - columns: Maximum number of columns.
  init(_ a: [Stretch], _ b: [Stretch], on grid: HistogramGrid, columns: Int) {
    self.grid = grid
    let both = a + b
    let (begins, ends) = (both.map(\.start), both.map { $0.start + $0.length })
    guard columns > 0, let first = begins.min(), let last = ends.max() else { return }
    let end = max(last, first + 1e-3)
    step = RoundTime.step(atLeast: (end - first) / Double(columns) * 1.000_001)
    start = first.rounded(.down, toMultipleOf: step)
    // Rounding the start may have added one column too many.
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

  /// The time range of a column.
  func window(ofColumn column: Int) -> Range<Timestamp> {
    let begin = start + Double(column) * step
    return begin..<begin + step
  }
}
