/// Tallies that keep numbers one by one, for exact percentiles, as long as there is memory for all of them together.
protocol KeptNumbers {
  /// How many numbers are kept.
  var keptCount: Int { get }
  /// Keeps those of no tally that has more than that.
  mutating func giveUpNumbers(above limit: Int)
}

extension KeptNumbers {
  /// Those with the most numbers are abandoned first, until half of the room is free.
  mutating func shrink(to limit: Int) {
    var most = limit
    while keptCount > limit / 2 {
      most /= 2
      giveUpNumbers(above: most)
    }
  }
}

/// How many numbers all metrics together keep: 128 MB of them.
package let keptNumbersLimit = 1 << 24
