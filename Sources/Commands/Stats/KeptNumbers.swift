/// Tallies that keep individual numbers for exact percentiles, as long as all of them together fit in memory.
protocol KeptNumbers {
  /// The number of numbers kept.
  var keptCount: Int { get }
  /// Discards the numbers of every tally that keeps more than `limit`.
  mutating func giveUpNumbers(above limit: Int)
}

extension KeptNumbers {
  /// Discards the numbers of the largest tallies first, until at most half of `limit` are kept.
  mutating func shrink(to limit: Int) {
    var most = limit
    while keptCount > limit / 2 {
      most /= 2
      giveUpNumbers(above: most)
    }
  }
}

/// Maximum numbers kept for all metrics together; they take 128 MB.
package let keptNumbersLimit = 1 << 24
