import Foundation

/// Parameters of a generated series: course, noise, arrivals, dependence, and the planted change.
package struct SeriesRecipe: Sendable, Hashable {
  /// The planted change.
  package enum Change: Sendable, Hashable {
    case none
    /// Values are multiplied, for some seconds or permanently.
    case level(Double, seconds: Double)
    /// Values rise evenly to a multiple and stay there.
    case leak(Double, seconds: Double)
    /// One sample is multiplied.
    case outlier(Double)
    /// A share of the samples is multiplied.
    case tail(share: Double, Double)
    /// The number of samples is multiplied.
    case rate(Double, seconds: Double)
    /// Samples are missing for a number of mean gaps.
    case silence(gaps: Double)
    /// Failures of a bool: the share before and after.
    case failures(Double, Double)
  }

  package enum Arrivals: Sendable, Hashable, CaseIterable {
    /// Independent of each other (Poisson).
    case random
    /// A regular clock with a jitter of 10 % of the gap.
    case regular
    /// Several in quick succession, then a pause.
    case bursts
  }

  package enum Course: Sendable, Hashable {
    case flat
    case sine(Double, period: Double)
    /// A daily cycle: a sine with its second harmonic.
    case day(Double)
    /// A random walk with steps of this size at every sample.
    case walk(Double)
    /// A job every minute: the samples of four seconds are multiplied.
    case cron(Double)
    /// At random, every 15 minutes on average: 4 s without samples, then two that are three times as large.
    case restarts
    /// Rises evenly and falls back, as memory does under a garbage collector.
    case sawtooth(Double, period: Double)
  }

  package enum Noise: Sendable, Hashable {
    case none
    /// Log-normal.
    case normal(Double)
    /// Pareto with an index; the smaller the index, the heavier the tail.
    case pareto(Double)
    /// Poisson counts with this mean.
    case counts(Double)
  }

  package var change = Change.none
  package var course = Course.sine(0.15, period: 2520)
  package var noise = Noise.normal(0.25)
  package var arrivals = Arrivals.random
  /// Correlation of the noise of consecutive samples.
  package var dependence = 0.0
  /// Share of failures of a bool before any change; `nil` for numbers.
  package var failures: Double?
  /// Correlation of failures: the probability that one is followed by another.
  package var repeats = 0.0
  /// Samples per second.
  package var rate = 1.2
  package var length = 2400.0
  package var onset = 1500.0
  /// The onset is up to this many seconds later.
  package var onsetSpread = 20.0

  package init() {}
}

/// A series generated from a recipe.
package struct PlantedSeries: Sendable {
  package struct Sample: Sendable {
    package let time: Double
    package let value: Double
  }

  package private(set) var samples: [Sample] = []
  /// Time of the first affected sample; for a silence, when the first missing one was due; for a rate, the onset.
  package private(set) var start = Double.infinity
  /// Time of the last affected sample; for a silence, its end.
  package private(set) var last = -Double.infinity
  private var random: SeededGenerator
  private let recipe: SeriesRecipe

  package init(_ recipe: SeriesRecipe, seed: UInt64) {
    (self.recipe, random) = (recipe, SeededGenerator(seed: seed &* 7919 &+ 17))
    make()
  }

  private mutating func make() {
    let onset = recipe.onset + random.unit() * recipe.onsetSpread
    var course = CourseState(recipe, &random)
    var time = random.unit() / recipe.rate
    var isPlanted = false
    while time < recipe.length {
      var value = course.next(at: time, &random)
      let seconds = time - onset
      let (isAffected, changed) = apply(value, seconds, &isPlanted)
      if isAffected { (start, last, value) = (min(start, time), time, changed) }
      samples.append(Sample(time: time, value: value))
      let gap = course.gap(&random, faster: rateFactor(seconds))
      time += gap + course.pause(&random)
      if case .silence(let gaps) = recipe.change, !isPlanted, time >= onset {
        isPlanted = true
        start = time
        time += gaps / recipe.rate
        last = time
      }
    }
    if case .rate = recipe.change { start = onset }
  }

  private func rateFactor(_ seconds: Double) -> Double {
    guard case .rate(let factor, let length) = recipe.change, seconds >= 0, seconds < length else { return 1 }
    return factor
  }

  private mutating func apply(_ value: Double, _ seconds: Double, _ isPlanted: inout Bool) -> (Bool, Double) {
    guard seconds >= 0 else { return (false, value) }
    switch recipe.change {
    case .none, .silence, .rate: return (false, value)
    case .level(let factor, let length): return (seconds < length, value * factor)
    case .leak(let factor, let length):
      return (true, value * (1 + (factor - 1) * min(1, seconds / length)))
    case .outlier(let factor):
      defer { isPlanted = true }
      return (!isPlanted, value * factor)
    case .tail(let share, let factor):
      let isFar = random.unit() < share
      return (isFar, value * factor)
    case .failures(_, let after):
      let isFailure = random.unit() < after
      return (isFailure, isFailure ? 1 : 0)
    }
  }
}
