import Aggregation
import Essentials

/// Random numbers for simulations: the sequence depends on the seed alone.
package struct SimulationRandom: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// The sequence of a seed.
  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// One of several sequences of one seed, so that a draw more here leaves the draws there as they were.
  package init(seed: UInt64, stream: UInt64) {
    var generator = SplitMix64(seed: seed &+ stream &* 0xD1B5_4A32_D192_ED03)
    self.generator = SplitMix64(seed: generator.next())
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 { generator.next() }

  /// A number from 0 up to, not including, 1.
  package mutating func unit() -> Double { generator.unit() }

  /// True if something of this probability happens.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// The time until the next event of a kind that happens so many times a second on average.
  package mutating func pause(perSecond rate: Double) -> Double { -log(1 - unit()) / rate }

  /// A normal number of mean 0 and deviation 1.
  package mutating func normal() -> Double { generator.normal() }

  /// A log-normal number: how latencies and sizes are spread.
  ///
  /// - Parameters:
  ///   - median: Half of the numbers are below.
  ///   - spread: The deviation of the logarithm: 0.3 is narrow, 1 has a long tail.
  package mutating func logNormal(median: Double, spread: Double) -> Double {
    median * exp(spread * normal())
  }

  /// One of `choices`, the first ones more often.
  package mutating func pick(_ choices: [String]) -> String {
    let skewed = unit() * unit()
    return choices[min(Int(skewed * Double(choices.count)), choices.count - 1)]
  }

  /// A place in a list of `count` things; 0 for none.
  package mutating func place(in count: Int) -> Int {
    min(Int(unit() * Double(count)), max(0, count - 1))
  }
}
