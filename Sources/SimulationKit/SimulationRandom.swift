import Aggregation
import Essentials

/// Random numbers for simulations; the sequence depends only on the seed.
package struct SimulationRandom: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// The sequence for a seed.
  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// One of several independent sequences for a seed, so that extra draws from one do not affect the others.
  package init(seed: UInt64, stream: UInt64) {
    var generator = SplitMix64(seed: seed &+ stream &* 0xD1B5_4A32_D192_ED03)
    self.generator = SplitMix64(seed: generator.next())
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 { generator.next() }

  /// A number in 0..<1.
  package mutating func unit() -> Double { generator.unit() }

  /// True with the given probability.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Random time until the next event at an average rate per second.
  package mutating func pause(perSecond rate: Double) -> Double { -log(1 - unit()) / rate }

  /// A normally distributed number with mean 0 and deviation 1.
  package mutating func normal() -> Double { generator.normal() }

  /// A log-normally distributed number, like latencies and sizes.
  ///
  /// - Parameters:
  ///   - median: Half of the numbers are below it.
  ///   - spread: The deviation of the logarithm: 0.3 is narrow, 1 has a long tail.
  package mutating func logNormal(median: Double, spread: Double) -> Double {
    median * exp(spread * normal())
  }

  /// One of `choices`, biased towards the first ones.
  package mutating func pick(_ choices: [String]) -> String {
    let skewed = unit() * unit()
    return choices[min(Int(skewed * Double(choices.count)), choices.count - 1)]
  }

  /// A random index into a list of `count` elements; 0 if it is empty.
  package mutating func place(in count: Int) -> Int {
    min(Int(unit() * Double(count)), max(0, count - 1))
  }
}
