import Foundation

/// Random draws for resampling: the same for the same seed, on every machine.
struct ResamplingRandom {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// How many of a class are drawn, when `drawn` of `all` things are and `size` of them are of the class.
  ///
  /// Exact (hypergeometric) where either number is small. Else the normal distribution of the same mean and variance, or
  /// where that variance is small, Poisson's. A draw costs at most some 60 random numbers, whatever the counts.
  mutating func members(of size: Double, drawing drawn: Double, of all: Double) -> Double {
    guard size < all else { return drawn }
    guard drawn < all else { return size }
    guard size > 1 else { return random.unit() * all < drawn * size ? size : 0 }
    let (least, most) = (max(0, drawn - (all - size)), min(size, drawn))
    let mean = drawn * (size / all)
    let variance = mean * (1 - size / all) * ((all - drawn) / (all - 1))
    let number: Double
    if variance >= 9 {
      number = (mean + random.normal() * variance.squareRoot()).rounded()
    } else if min(size, drawn) <= 64 {
      number = counted(max(size, drawn), steps: min(size, drawn), of: all)
    } else {
      number = poisson(mean)
    }
    return max(least, min(most, number))
  }

  /// Draws one after the other without putting back: how many of `steps` draws hit one of `marked`.
  private mutating func counted(_ marked: Double, steps: Double, of all: Double) -> Double {
    var (left, of, hits) = (marked, all, 0.0)
    for _ in 0..<Int(steps) {
      if random.unit() * of < left {
        hits += 1
        left -= 1
      }
      of -= 1
    }
    return hits
  }

  /// A Poisson number by inversion; for small means.
  private mutating func poisson(_ mean: Double) -> Double {
    var (probability, number) = (exp(-mean), 0.0)
    var rest = random.unit() - probability
    while rest > 0, number < 200 {
      number += 1
      probability *= mean / number
      rest -= probability
    }
    return number
  }
}
