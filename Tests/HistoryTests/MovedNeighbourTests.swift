import Aggregation
import Platform
import TestSupport
import Testing

@testable import History

@Suite("What else moved at a moment")
struct MovedNeighbourTests {
  @Test("half of the changed metrics or more are named, and at most a few percent of the innocent ones")
  func innocents() throws {
    let start = 800_000_000.0
    var (innocent, named, peaks, found) = (0, 0, 0, 0)
    for seed in 1...UInt64(trials(4, long: 20)) {
      let file = PlantedIncidents(seed: seed)
      let history = try IndexMaintainer.indexed([MemoryBytes(file.lines(from: start).joined())]).history
      for plant in file.plants where plant.kind == .peak || plant.kind == .step {
        let moment = Timestamp(start + plant.onset + 60)
        let query = HistoryQuery(
          window: Range(seconds: start - 1..<start + 3700), focus: identity(plant.metric == 0 ? 1 : 0),
          playhead: moment, page: HistoryPageQuery(before: 1, after: 1), wantsDetail: true)
        let detail = try #require(try history.answer(query).detail)
        let names = Set(detail.others.map(\.identity.name))
        let planted = Set(file.plants.map { "metric\($0.metric)" })
        innocent += PlantedIncidents.metrics - planted.count
        named += names.subtracting(planted).count
        peaks += 1
        if names.contains("metric\(plant.metric)") { found += 1 }
      }
    }
    print("\(named) of \(innocent) innocent metrics are named, \(found) of \(peaks) peaks")
    #expect(peaks > 0 && Double(named) <= 0.03 * Double(innocent), "\(named) of \(innocent)")
    #expect(Double(found) >= 0.5 * Double(peaks), "\(found) of \(peaks)")
  }

  @Test("a rare outcome is named, and an identifier, which is new each time, is not")
  func texts() throws {
    let start = 800_000_000.0
    let samples = (0..<1000).flatMap { second -> [PlantedIncidents.Sample] in
      let time = Double(second)
      return [
        .init(time: time, metric: 0, value: .number(100 + Double(second % 7))),
        .init(time: time, metric: 1, value: .text("id-\(second)")),
        .init(time: time, metric: 2, value: .text(second == 899 ? "fail" : "ok")),
      ]
    }
    let history = try IndexMaintainer.indexed([MemoryBytes(samples.lines(from: start).joined())]).history
    let query = HistoryQuery(
      window: Range(seconds: start..<start + 1000), focus: identity(0), playhead: Timestamp(start + 899.5),
      page: HistoryPageQuery(before: 1, after: 1), wantsDetail: true)
    let detail = try #require(try history.answer(query).detail)
    #expect(detail.others.map(\.identity.name) == ["metric2"])
  }

  private func identity(_ metric: Int) -> SeriesIdentity {
    SeriesIdentity(bucket: "app", name: "metric\(metric)", typeName: "Double")
  }
}
