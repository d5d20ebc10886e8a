import Foundation

/// Random numbers for simulations (splitmix64): the sequence depends on the seed alone.
package struct SimulationRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The sequence of a seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// One of several sequences of one seed, so that a draw more here leaves the draws there as they were.
  package init(seed: UInt64, stream: UInt64) {
    var generator = SimulationRandom(seed: seed &+ stream &* 0xD1B5_4A32_D192_ED03)
    state = generator.next()
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 up to, not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something of this probability happens.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// The time until the next event of a kind that happens so many times a second on average.
  package mutating func pause(perSecond rate: Double) -> Double { -log(1 - unit()) / rate }

  /// A normal number of mean 0 and deviation 1.
  package mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }

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
