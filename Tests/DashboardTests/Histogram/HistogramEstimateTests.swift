import Aggregation
import Codecs
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("Percentiles that a stretch of time has from bins")
struct HistogramEstimateTests {
  /// Days of the month as samples, a stretch of which is told by whole slots.
  private func side(_ name: String, _ window: Range<Double>?, isWhole: Bool = false) -> HistogramSide {
    var cube = SampleCube(step: 60)
    for index in 0..<3000 { cube.record(Double(20 + index % 11), at: Double(index) * 10) }
    return HistogramSide(name: name, cube.selection(.init(window: window)), isWhole: isWhole)
  }

  private let stretch = 600.0..<24_000
  private let unit = ValueUnit.plain

  private func formatter(hasBins: Bool = false) -> HistogramFormatter {
    HistogramFormatter(unit: unit, plusMinus: "±", hasBins: hasBins, isClear: true)
  }

  private func figures(_ a: HistogramSide, _ b: HistogramSide? = nil) -> HistogramFigures {
    let grid = HistogramGrid(.linear, for: a.bins, rows: 10)
    return HistogramFigures(a, against: b, on: grid, percentiles: [50, 90])
  }

  private func text(_ side: HistogramSide) -> String {
    formatter().quantile(figures(side).percentiles[0].a, spread: nil, isStated: true, room: 20)
  }

  @Test(
    "have ~ where the bin tells them less closely than they are written, of whole numbers the nearest one")
  func marked() throws {
    let found = try #require(side("A", stretch).quantiles([50]).first)
    #expect(found.lower <= 25 && 25 <= found.upper && found.lower < found.upper)
    #expect(text(side("A", stretch)) == "~\(unit.figure(found.value))")
    #expect(text(side("A", stretch, isWhole: true)) == "~25")
  }

  @Test("the whole file has nearest ranks without a mark")
  func exact() {
    #expect(text(side("A", nil)) == "25")
    #expect(!figures(side("A", nil)).hasEstimates(in: unit))
  }

  @Test("the note tells of bins where either side has them")
  func note() {
    #expect(figures(side("A", stretch)).hasEstimates(in: unit))
    #expect(figures(side("A", nil), side("B", stretch)).hasEstimates(in: unit))
    #expect(!figures(side("A", nil), side("B", nil)).hasEstimates(in: unit))
  }

  @Test("the sentence marks them too")
  func sentence() throws {
    let verdict = try #require(VerdictSentence(figures(side("A", nil), side("B", stretch)), unit: unit))
    #expect(verdict.median?.marks.a == "" && verdict.median?.marks.b == "~")
    #expect(verdict.sentence.contains("against ~"))
  }
}
