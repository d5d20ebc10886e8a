import History
import Platform
import Testing

@Suite struct HistoryChartTests {
  @Test func `a column begins at a multiple of the step`() {
    var chart = HistoryChart()
    (chart.step, chart.firstKey) = (64, 12_296_000)
    #expect(chart.start(ofColumn: 0) == Timestamp(786_944_000))
    #expect(chart.start(ofColumn: 3) == Timestamp(786_944_192))
  }
}
