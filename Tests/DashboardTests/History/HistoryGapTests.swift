import Aggregation
import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen

@Suite("Gaps of the History screen's chart")
struct HistoryGapTests {
  init() { adoptUTF8() }

  /// A chart with so many samples, all in 10 ms, in each of some of its steps of a second.
  private func chart(of columns: Int, filled: [Int], count: Int = 20) -> HistoryChart {
    var chart = HistoryChart()
    chart.columns = (0..<columns).map { index in
      guard filled.contains(index) else { return nil }
      let time = Double(index) + 0.5
      return HistoryColumn(
        count: count, numbers: count, minimum: 1, maximum: 2, mean: 1.5, spread: ValueSpread(1),
        firstTime: Timestamp(time), lastTime: Timestamp(time + 0.01))
    }
    return chart
  }

  private func gaps(_ columns: Int, _ filled: [Int]) -> [Int] {
    HistoryGaps(chart: chart(of: columns, filled: filled)).found.map { Int($0.lowerBound.seconds) }
  }

  @Test("bursts at regular times have none between them, but where they stay away there is one")
  func bursts() {
    let regular = Array(stride(from: 0, to: 160, by: 10))
    #expect(gaps(160, regular).isEmpty)
    #expect(gaps(160, regular.filter { !(60...100).contains($0) }) == [50])
  }

  @Test("a hole of most of the window is one, even between two single columns")
  func holes() {
    #expect(gaps(160, [0, 159]) == [0])
    #expect(gaps(160, [0, 1, 2, 156, 158]) == [2])
    #expect(gaps(160, [40]).isEmpty && gaps(160, []).isEmpty)
  }

  @Test("a hole of a column or two is none")
  func short() {
    #expect(gaps(12, [0, 1, 2, 3, 5, 6, 7, 9, 10, 11]).isEmpty)
  }

  @Test("no line is drawn across a gap")
  func line() throws {
    var model = HistoryFixture.model(120, 36)
    var answer = try #require(model.session.history.answer)
    var chart = chart(of: 160, filled: [0, 1, 2, 157, 158])
    chart.step = answer.chart.step
    chart.firstKey = answer.chart.firstKey
    let start = chart.start(ofColumn: 0)
    for index in chart.columns.indices {
      guard var column = chart.columns[index] else { continue }
      column.firstTime = start + column.firstTime.seconds * chart.step
      column.lastTime = column.firstTime
      // Samples without a number stand at the end of the gap.
      if index == 157 { column.numbers = 0 }
      chart.columns[index] = column
    }
    answer.chart = chart
    var news = HistoryNews()
    news.answer = answer
    _ = update(&model, .history(news))
    #expect(model.history.gaps.count == 1)
    let points = HistoryView(model.historyScreen).chart(answer).series[0].points
    #expect(points.map { $0.y == nil } == [false, false, false, true, false])
  }
}
