import Aggregation
import History
import TerminalUI
import Testing

@testable import DashboardCore

@Suite("What else a sample's moment showed, by medians from bins")
struct HistoryEstimateTests {
  init() { adoptUTF8() }

  /// The screen at the spike, where another metric was 212 ms and had that median.
  private func lines(median: Quantile) -> String {
    var model = HistoryFixture.model(120, 36, keys: HistoryPictureTests.atSpike)
    _ = model.press(KeyPress(.down)) { query in
      var answer = FixtureScan(query: query).answer
      let time = answer.detail?.row.time ?? HistoryFixture.now
      answer.detail?.others = [
        HistoryNeighbour(
          identity: SeriesIdentity(bucket: "net", name: "rtt_ms", typeName: "Double"), value: .number(212),
          time: time, usual: median)
      ]
      return answer
    }
    return view(model).buffer.lines.joined(separator: "\n")
  }

  @Test("a factor has ~ where the bin is wide")
  func factor() {
    let exact = lines(median: Quantile(exact: 41))
    #expect(exact.contains("net.rtt_ms 212ms ↑ 5.2×"), "\(exact)")
    #expect(lines(median: Quantile(value: 41, lower: 40.7, upper: 41.3)).contains("212ms ↑ 5.2×"))
    let wide = lines(median: Quantile(value: 41, lower: 32, upper: 64))
    #expect(wide.contains("net.rtt_ms 212ms ↑ ~5.2×"), "\(wide)")
  }

  @Test("what the wide bin holds may be the usual value")
  func usual() {
    let lines = lines(median: Quantile(value: 181, lower: 128, upper: 256))
    #expect(lines.contains("net.rtt_ms 212ms ~"), "\(lines)")
    #expect(!lines.contains("212ms ↑"))
  }
}
