import Essentials

/// Random draws for resampling, reproducible for a seed on every machine.
struct ResamplingRandom {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// 64 random bits.
  mutating func signs() -> UInt64 { random.next() }

  /// The number of members of a class of `size` among `drawn` units out of `all`.
  ///
  /// Exact (hypergeometric) if either number is small. Otherwise drawn from a normal distribution of the same mean and
  /// variance or, if that variance is small, a Poisson distribution. A draw costs at most about 60 steps and two random
  /// numbers, whatever the counts.
  mutating func members(of size: Double, drawing drawn: Double, of all: Double) -> Double {
    guard size < all else { return drawn }
    guard drawn < all else { return size }
    guard size > 1 else { return random.unit() * all < drawn * size ? size : 0 }
    // If the class is nearly everything, draw the rest instead: its number is the small one.
    guard size <= all / 2 else { return drawn - members(of: all - size, drawing: drawn, of: all) }
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

  /// The number of `marked` units among `steps` units drawn without replacement out of `all`; exact.
  ///
  /// Inverts the hypergeometric distribution, counting hits up from zero, so one random number is enough. If more than
  /// half are marked, or drawn, the complement is counted.
  private mutating func counted(_ marked: Double, steps: Double, of all: Double) -> Double {
    guard marked <= all / 2 else { return steps - counted(all - marked, steps: steps, of: all) }
    guard steps <= all / 2 else { return marked - counted(marked, steps: all - steps, of: all) }
    var (probability, place) = (1.0, 0.0)
    while place < steps {
      probability *= 1 - marked / (all - place)
      place += 1
    }
    let most = min(steps, marked)
    var (rest, hits) = (random.unit() - probability, 0.0)
    while rest > 0, hits < most {
      probability *= (marked - hits) / (hits + 1) * ((steps - hits) / (all - marked - steps + hits + 1))
      hits += 1
      rest -= probability
    }
    return hits
  }

  /// A Poisson-distributed number by inversion, for small means.
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
