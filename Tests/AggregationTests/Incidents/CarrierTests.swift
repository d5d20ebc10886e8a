import TestSupport
import Testing

@testable import Aggregation

@Suite("The value that carries a change")
struct CarrierTests {
  /// The carriers told in some files where the numbers of some of four regions change.
  private static func carriers(of changed: Set<Int>, factor: Double) -> (found: Int, values: [String]) {
    var (found, values) = (0, [] as [String])
    for seed in 1...UInt64(trials(12, long: 100)) {
      var random = SeededGenerator(seed: seed)
      var recipe = SeriesRecipe()
      recipe.rate = 2
      var log = IncidentLog { _ in [.values] }
      let number =
        log.number(of: SeriesIdentity(bucket: "api", name: "call", typeName: "Call", field: "ms")) ?? -1
      for sample in PlantedSeries(recipe, seed: seed).samples {
        let region = Int.random(in: 0..<4, using: &random)
        let labels = [
          SampleLabel(field: "region", value: "r\(region)"),
          SampleLabel(field: "app", value: "a\(Int.random(in: 0..<3, using: &random))"),
        ]
        let value = sample.value * (sample.time > 1500 && changed.contains(region) ? factor : 1)
        log.record(.number(value), at: sample.time, of: number)
        log.record(labels, beside: value, at: sample.time, of: number)
      }
      guard let incident = log.entries.first(where: { abs($0.incident.start - 1500) < 200 })?.incident else {
        continue
      }
      found += 1
      if let carrier = incident.carrier { values.append("\(carrier.field)=\(carrier.value)") }
    }
    return (found, values)
  }

  @Test("a change of one value is attributed to it")
  func one() {
    let (found, values) = Self.carriers(of: [1], factor: 4)
    #expect(Set(values) == ["region=r1"] && 3 * values.count >= 2 * found && found > 3, "\(found) \(values)")
  }

  @Test(
    "a change of all values, or of half of them, is attributed to none", arguments: [[0, 1], [0, 1, 2, 3]])
  func several(regions: [Int]) {
    let (found, values) = Self.carriers(of: Set(regions), factor: 3)
    #expect(values.isEmpty && found > 3, "\(found) \(values)")
  }
}
