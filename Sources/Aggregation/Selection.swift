/// Finds values by rank without sorting all of them.
package enum Selection {
  /// The values at the nearest ranks ⌈q·n⌉ of the percentiles (ascending); the order of `values` changes.
  package static func nearestRanks(_ percentiles: [Double], of values: inout [Double]) -> [Double] {
    let count = values.count
    guard count > 0 else { return [] }
    return values.withUnsafeMutableBufferPointer { values in
      var start = 0
      return percentiles.map { percentile in
        let rank = Quantile.rank(ofPercentile: percentile, count: count) - 1
        // What is left of the rank found before is smaller and need not be looked at again.
        if rank < start { start = 0 }
        select(rank, in: values, from: start)
        start = rank
        return values[rank]
      }
    }
  }

  /// Puts the value of a rank in its place, smaller ones before it.
  private static func select(_ rank: Int, in values: UnsafeMutableBufferPointer<Double>, from start: Int) {
    var (low, high) = (start, values.count - 1)
    while high - low > 16 {
      let pivot = median(values[low], values[(low + high) / 2], values[high])
      var (i, j) = (low, high)
      while i <= j {
        while values[i] < pivot { i += 1 }
        while values[j] > pivot { j -= 1 }
        guard i <= j else { break }
        values.swapAt(i, j)
        i += 1
        j -= 1
      }
      if rank <= j { high = j } else if rank >= i { low = i } else { return }
    }
    insertionSort(values, low, high)
  }

  private static func insertionSort(_ values: UnsafeMutableBufferPointer<Double>, _ low: Int, _ high: Int) {
    guard high > low else { return }
    for index in low + 1...high {
      let value = values[index]
      var place = index
      while place > low, values[place - 1] > value {
        values[place] = values[place - 1]
        place -= 1
      }
      values[place] = value
    }
  }

  private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
    max(min(a, b), min(max(a, b), c))
  }
}
