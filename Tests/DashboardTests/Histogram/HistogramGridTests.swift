import Aggregation
import TestSupport
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("The rows of a histogram")
struct HistogramGridTests {
  private func bins(_ values: [Double]) -> [HistogramBin] {
    var histogram = FineHistogram()
    for value in values { histogram.record(value) }
    return histogram.intervals
  }

  private func edges(_ grid: HistogramGrid) -> [Double] { grid.rows.map(\.upper) }

  @Test("rows of one width have round edges, and an open one for what is yet to come")
  func linear() {
    let grid = HistogramGrid(.linear, for: bins((0..<1000).map { Double($0) / 2 }), rows: 12)
    #expect(edges(grid) == [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, .infinity])
    #expect(grid.rows.first?.lower == 0)
    let tenths = HistogramGrid(.linear, for: bins((0..<100).map { Double($0) / 100 }), rows: 12)
    #expect(edges(tenths) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, .infinity])
    let signed = HistogramGrid(.linear, for: bins((-50..<50).map(Double.init)), rows: 12)
    #expect(signed.rows.first?.lower == -50 && signed.rows.contains { $0.lower == 0 })
  }

  @Test("an outlier gets the open row, and does not press all others into one")
  func outlier() {
    let grid = HistogramGrid(.linear, for: bins((0..<5000).map { Double($0 % 400) } + [1_190_070]), rows: 12)
    #expect((grid.rows.dropLast().last?.upper ?? 0) <= 500)
    let counts = grid.counts(bins((0..<5000).map { Double($0 % 400) } + [1_190_070]))
    #expect(counts.last?.count == 1 && counts.reduce(0) { $0 + $1.count } == 5001)
  }

  @Test("rows that widen have round numbers of each decade, as many as there is room for")
  func logarithmic() {
    let values = (0..<1000).map { 3 + Double($0 * $0) / 100 }
    #expect(
      edges(HistogramGrid(.logarithmic, for: bins(values), rows: 16)).prefix(4) == [5, 10, 20, 30])
    #expect(
      edges(HistogramGrid(.logarithmic, for: bins(values), rows: 8))
        == [10, 30, 100, 300, 1000, 3000, 10_000, .infinity])
    let far = HistogramGrid(.logarithmic, for: bins([1e-200, 1, 1e200]), rows: 8)
    #expect(far.scale == .logarithmic && far.rows.count <= 9)
    #expect(HistogramGrid(.logarithmic, for: bins([-5, -2, -1]), rows: 8).scale == .linear)
  }

  @Test("bins that were recorded are rows as they are, if they fit and do not overlap")
  func recorded() {
    let recorded = [
      HistogramBin(lower: 820, upper: 830, count: 3), HistogramBin(lower: 900, upper: 910, count: 1),
    ]
    let grid = HistogramGrid(.recorded, for: recorded, rows: 8)
    #expect(grid.scale == .recorded && grid.rows.map(\.lower) == [820, 900])
    #expect(grid.counts(recorded).map(\.count) == [3, 1])
    let overlapping = recorded + [HistogramBin(lower: 825, upper: 840, count: 1)]
    #expect(HistogramGrid(.recorded, for: overlapping, rows: 8).scale == .linear)
    #expect(HistogramGrid(.recorded, for: recorded + recorded, rows: 3).rows.count == 2)
  }

  @Test("a bin that reaches over an edge counts where its middle is, and makes both rows uncertain")
  func uncertain() {
    let grid = HistogramGrid(
      scale: .linear, rows: [.init(lower: 0, upper: 100), .init(lower: 100, upper: .infinity)])
    let counts = grid.counts([
      HistogramBin(lower: 10, upper: 20, count: 2), HistogramBin(lower: 90, upper: 120, count: 5),
      HistogramBin(lower: 100, upper: 110, count: 1),
    ])
    #expect(counts.map(\.count) == [2, 6] && counts.map(\.uncertain) == [5, 5])
  }

  @Test("what a bin holds that is wider than a row is spread over the rows it reaches over, and is a guess")
  func spread() {
    let rows = [0.0, 10, 20, 30].map { HistogramGrid.Row(lower: $0, upper: $0 + 10) }
    let grid = HistogramGrid(scale: .linear, rows: rows + [.init(lower: 40, upper: .infinity)])
    let wide = grid.spread([HistogramBin(lower: 5, upper: 35, count: 60)])
    #expect(wide.counts == [10, 20, 20, 10, 0] && wide.isGuess)
    let one = grid.spread([HistogramBin(lower: 0, upper: 40, count: 1)])
    #expect(one.counts.reduce(0, +) == 1 && one.isGuess)
    let narrow = [HistogramBin(lower: 8, upper: 14, count: 3), HistogramBin(lower: 50, upper: 50, count: 2)]
    #expect(grid.spread(narrow).counts == grid.counts(narrow).map(\.count))
    #expect(!grid.spread(narrow).isGuess && grid.spread(narrow).counts == [0, 3, 0, 0, 2])
    let many = grid.spread([HistogramBin(lower: 0, upper: 1e300, count: .max)])
    #expect(many.counts == [0, 0, 0, 0, .max])
  }

  @Test("a bin ends at the least and the largest value that was recorded")
  func clamped() {
    let bin = HistogramBin(lower: 6016, upper: 6080, count: 5)
    #expect(bin.clamped(from: 6000, to: 6039) == HistogramBin(lower: 6016, upper: 6039, count: 5))
    #expect(bin.clamped(from: 6020, to: 6020) == HistogramBin(lower: 6020, upper: 6020, count: 5))
    #expect(bin.clamped(from: 0, to: 1e9) == bin)
    #expect(bin.clamped(from: .infinity, to: -.infinity).middle.isFinite)
  }

  @Test("whatever the numbers are: rows follow one another, and every sample is in one of them")
  func anything() {
    var random = SeededGenerator(seed: 5)
    for round in 0..<trials(80, long: 400) {
      let scale = HistogramGrid.Scale.allCases[round % 3]
      let values = (0..<Int(random.next() % 60)).map { _ -> Double in
        let bits = Double(bitPattern: random.next())
        return round % 2 == 0 && bits.isFinite ? bits : Double(Int64(bitPattern: random.next()) % 1000) / 7
      }
      let bins = bins(values)
      let rows = Int(random.next() % 20)
      let grid = HistogramGrid(scale, for: bins, rows: rows)
      #expect(grid.rows.count <= max(3, rows) + 2)
      #expect(zip(grid.rows, grid.rows.dropFirst()).allSatisfy { $0.upper <= $1.lower })
      #expect(grid.rows.allSatisfy { $0.lower < $0.upper })
      let counts = grid.counts(bins)
      #expect(counts.reduce(0) { $0 + $1.count } == values.count, "\(round): \(values)")
    }
  }
}
