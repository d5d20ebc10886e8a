import Aggregation
import TestSupport
import Testing

@Suite("A tail that moves alone")
struct TailIncidentTests {
  @Test("it lasts as long as the far samples, and ends where the values no longer have logarithms")
  func end() {
    var recipe = SeriesRecipe()
    (recipe.change, recipe.length) = (.tail(share: 0.1, 5), 3000)
    var count = 0
    for seed in UInt64(1)...60 {
      var (detector, random) = (SeriesDetector(), SeededGenerator(seed: seed))
      var ended: [Incident] = []
      let samples = PlantedSeries(recipe, seed: seed).samples
      for sample in samples { detector.record(.number(sample.value), at: sample.time) { ended.append($0) } }
      guard detector.open(at: 3000).contains(where: { $0.kind == .tail }) else { continue }
      count += 1
      for second in 0..<1000 {
        let value = random.unit() < 0.1 ? 0 : samples[second].value
        detector.record(.number(value), at: Double(3000 + second)) { ended.append($0) }
      }
      #expect(!detector.open(at: 4000).contains { $0.kind == .tail } && ended.contains { $0.kind == .tail })
      #expect(ended.allSatisfy { $0.end != .none })
    }
    #expect(count > 2)
  }
}
