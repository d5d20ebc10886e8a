import Foundation

/// State of a generated series that its next sample depends on.
struct CourseState {
  private let recipe: SeriesRecipe
  private let base: Double
  private let phase: Double
  private var noise = 0.0
  private var walk = 0.0
  private var isFailing = false
  private var left = 0
  private var slow = 0
  private var nextRestart: Double

  init(_ recipe: SeriesRecipe, _ random: inout SeededGenerator) {
    self.recipe = recipe
    base = pow(10, Double.random(in: -1...4, using: &random))
    phase = random.unit() * 2 * .pi
    nextRestart = 900 * random.exponential()
  }

  mutating func next(at time: Double, _ random: inout SeededGenerator) -> Double {
    if let failures = recipe.failures {
      let again = isFailing ? max(failures, recipe.repeats) : failures * (1 - recipe.repeats) / (1 - failures)
      isFailing = random.unit() < (recipe.repeats > 0 ? again : failures)
      return isFailing ? 1 : 0
    }
    return level(at: time, &random) * factor(&random)
  }

  private mutating func level(at time: Double, _ random: inout SeededGenerator) -> Double {
    switch recipe.course {
    case .flat: return base
    case .sine(let amplitude, let period):
      return base * (1 + amplitude * sin(time / period * 2 * .pi + phase))
    case .day(let amplitude):
      let angle = time / 86_400 * 2 * .pi + phase
      return base * (1 + amplitude * (0.75 * sin(angle) + 0.25 * sin(2 * angle)))
    case .walk(let step):
      walk += step * random.normal()
      return base * exp(walk)
    case .cron(let factor):
      let second = (time + phase * 9).truncatingRemainder(dividingBy: 60)
      return second < 4 ? base * factor : base
    case .restarts:
      if time > nextRestart { (slow, nextRestart) = (3, time + 900 * random.exponential()) }
      slow -= 1
      return slow == 1 || slow == 0 ? 3 * base : base
    case .sawtooth(let height, let period):
      return base * (1 + height * (time / period + phase).truncatingRemainder(dividingBy: 1))
    }
  }

  private mutating func factor(_ random: inout SeededGenerator) -> Double {
    switch recipe.noise {
    case .none: return 1
    case .normal(let size):
      let fresh = random.normal()
      noise = recipe.dependence * noise + (1 - recipe.dependence * recipe.dependence).squareRoot() * fresh
      return exp(size * noise)
    case .pareto(let index): return exp(random.exponential() / index)
    case .counts(let mean):
      var (count, product) = (0.0, random.unit())
      while product > exp(-mean), count < 1000 { (count, product) = (count + 1, product * random.unit()) }
      return count / base
    }
  }

  /// Seconds to the next sample.
  mutating func gap(_ random: inout SeededGenerator, faster: Double) -> Double {
    let mean = 1 / (recipe.rate * faster)
    switch recipe.arrivals {
    case .random: return mean * random.exponential()
    case .regular: return mean * (1 + 0.1 * (random.unit() - 0.5))
    case .bursts:
      if left > 0 {
        left -= 1
        return 0.02 * mean * random.exponential()
      }
      left = Int(10 * random.exponential())
      return 10 * mean * random.exponential()
    }
  }

  /// Seconds without samples in addition to the usual gap.
  mutating func pause(_ random: inout SeededGenerator) -> Double {
    if case .restarts = recipe.course, slow == 2 { return 4 }
    return 0
  }
}
