import Foundation

/// Random numbers for the demo (splitmix64): the sequence depends on the seed alone.
struct DemoRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 up to, not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something of this probability happens.
  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// The time until the next event of a kind that happens so many times a second on average.
  mutating func pause(perSecond rate: Double) -> Double { -log(1 - unit()) / rate }

  /// A normal number of mean 0 and deviation 1.
  mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }

  /// A log-normal number: how latencies and sizes are spread.
  ///
  /// - Parameters:
  ///   - median: Half of the numbers are below.
  ///   - spread: The deviation of the logarithm: 0.3 is narrow, 1 has a long tail.
  mutating func logNormal(median: Double, spread: Double) -> Double { median * exp(spread * normal()) }

  /// One of `choices`, the first ones more often.
  mutating func pick(_ choices: [String]) -> String {
    let skewed = unit() * unit()
    return choices[min(Int(skewed * Double(choices.count)), choices.count - 1)]
  }
}
