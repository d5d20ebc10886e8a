import Aggregation
import History
import Platform
import Testing

/// Files with more metrics than one reader remembers.
@Suite("An index of very many metrics")
struct ManyMetricsTests {
  /// Each metric has one value of its own, so that a sample among those of another shows.
  private static func file(metrics: Int, lines: Int) -> HistoryMaker {
    var maker = HistoryMaker(seed: 21)
    for line in 0..<lines {
      let time = 800_000_000 + Double(line) / 100
      if line % 10 == 0 {
        maker.add(number: -1, to: "usual", at: time)
      } else {
        maker.add(number: Double(line % metrics), to: "n\(line % metrics)", at: time)
      }
    }
    return maker
  }

  @Test("keeps each sample with its metric, whenever the readers number metrics anew")
  func numberedAnew() throws {
    let maker = Self.file(metrics: 11_000, lines: 24_000)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)], blockSize: 1 << 16)
    let sums = try maintainer.history.sums(in: .allTime, .all)
    var expected: [SeriesIdentity: (count: Int, value: Double)] = [:]
    for sample in maker.samples {
      guard case .number(let value) = sample.value else { continue }
      expected[sample.identity, default: (0, value)].count += 1
    }
    #expect(sums.series.count == expected.count)
    let wrong = expected.filter { identity, truth in
      let cell = sums[identity].cell
      return cell.count != truth.count || cell.minimum != truth.value || cell.maximum != truth.value
    }
    #expect(wrong.isEmpty, "\(wrong.keys.prefix(3).map(\.label))")
  }

  @Test("has slots of a useful length although its series alone take more than its share")
  func shortSlots() throws {
    let maker = Self.file(metrics: 6000, lines: 24_000)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)], blockSize: 1 << 16)
    let usual = HistoryMaker.identity("usual", "Double")
    let query = HistoryQuery(
      window: Range(seconds: 800_000_000..<800_000_240), focus: usual, columns: 80,
      playhead: Timestamp(800_000_120))
    let chart = try maintainer.history.answer(query).chart
    #expect(chart.step <= 16)
    #expect(chart.columns.count { $0 != nil } >= 15)
  }
}
