import Foundation

extension SeededGenerator {
  package mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }

  /// A random number from the standard normal distribution (Box and Muller 1958).
  package mutating func normal() -> Double { sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit()) }

  /// A random number from the exponential distribution with a mean of 1.
  package mutating func exponential() -> Double { -log(1 - unit()) }
}
