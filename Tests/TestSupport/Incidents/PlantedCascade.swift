/// A file of ten metrics: a cause, two metrics that follow it within seconds, and seven innocent ones.
package struct PlantedCascade {
  /// The numbers of the cause and of its followers; the others are innocent.
  package static let cause = 0
  package static let followers = 1...2
  package static let metrics = 10
  /// Maximum seconds by which a follower is late.
  private static let lag = 20.0

  /// The onset of the cause, and the end of the file.
  package let onset: Double
  package let length = 2400.0
  /// Sorted by time.
  package private(set) var samples: [PlantedIncidents.Sample] = []

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 104_729 &+ 31)
    onset = 1500 + 20 * random.unit()
    let seconds = random.unit() < 0.5 ? .infinity : 120 + 180 * random.unit()
    for metric in 0..<Self.metrics {
      var recipe = SeriesRecipe()
      recipe.rate = 0.5 + 2 * random.unit()
      recipe.noise = .normal(0.1 + 0.2 * random.unit())
      (recipe.onset, recipe.onsetSpread, recipe.length) = (onset, 0, length)
      let factor = 2 + 3 * random.unit()
      if metric <= Self.followers.upperBound {
        recipe.change = .level(random.unit() < 0.8 ? factor : 1 / factor, seconds: seconds)
      } else {
        recipe.dependence = metric.isMultiple(of: 3) ? 0.8 : 0
      }
      if Self.followers.contains(metric) { recipe.onset += Self.lag * random.unit() }
      samples += PlantedSeries(recipe, seed: seed &* 31 &+ UInt64(metric)).samples.map {
        PlantedIncidents.Sample(time: $0.time, metric: metric, value: .number($0.value))
      }
    }
    samples.sort { ($0.time, $0.metric) < ($1.time, $1.metric) }
  }
}
