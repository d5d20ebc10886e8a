import Aggregation
import TestSupport
import Testing

@Suite("Incidents of values that are texts or bools")
struct OutcomeIncidentTests {
  private func incidents(_ values: some Sequence<SeriesValue>) -> [Incident] {
    var log = IncidentLog { _ in .values }
    guard let number = log.number(of: SeriesIdentity(bucket: "s", name: "flag", typeName: "Bool")) else {
      return []
    }
    for (index, value) in values.enumerated() { log.record(value, at: Double(6 * index), of: number) }
    return log.entries.map(\.incident)
  }

  private func cycle(_ texts: [String], _ count: Int) -> [SeriesValue] {
    (0..<count).map { .text(texts[$0 % texts.count]) }
  }

  @Test("values that take turns are none, in whatever order", arguments: [40, 80, 300, 3000])
  func turns(count: Int) {
    for first in [true, false] {
      #expect(incidents((0..<count).map { .bool(($0 % 2 == 0) == first) }).isEmpty)
    }
    let cycles = [
      ["open", "close"], ["idle", "run", "idle", "stop"], ["on", "on", "off", "off"],
      ["a", "b", "a", "c", "b", "a"],
    ]
    for texts in cycles { #expect(incidents(cycle(texts, count)).isEmpty, "\(texts)") }
  }

  @Test("values by chance of which none is usual are none")
  func chance() {
    for seed in UInt64(1)...50 {
      var random = SeededGenerator(seed: seed)
      #expect(incidents((0..<3000).map { _ in .bool(Bool.random(using: &random)) }).isEmpty, "\(seed)")
    }
  }

  @Test("a usual value that stays away is one, though another often takes its turn with it")
  func stays() throws {
    // Of five values three are "ok".
    let before = cycle(["ok", "retry", "ok", "retry", "ok"], 300)
    let found = incidents(before + cycle(["fail"], 60))
    let incident = try #require(found.first)
    #expect(found.count == 1)
    #expect(incident.usualOutcome == "ok" && incident.usual < 0.5)
    #expect(abs(incident.start - 1800) <= 12 && incident.peak > 0.9)
  }
}
