/// Selects values by rank without sorting all of them.
package enum Selection {
  /// The values at the nearest ranks ⌈q·n⌉ of the percentiles (ascending); reorders `values`.
  package static func nearestRanks(_ percentiles: [Double], of values: inout [Double]) -> [Double] {
    let count = values.count
    guard count > 0 else { return [] }
    if count > many {
      return nearestRanks(percentiles, ofMany: count) { body in values.withUnsafeBufferPointer(body) }
    }
    return values.withUnsafeMutableBufferPointer { values in
      var start = 0
      return percentiles.map { percentile in
        let rank = Quantile.rank(ofPercentile: percentile, count: count) - 1
        // Values before the previous rank are smaller and need not be visited again.
        if rank < start { start = 0 }
        select(rank, in: values, from: start)
        start = rank
        return values[rank]
      }
    }
  }

  /// The values at the nearest ranks of the percentiles (ascending).
  static func nearestRanks(_ percentiles: [Double], of values: KeptValues) -> [Double] {
    if values.count > many { return nearestRanks(percentiles, ofMany: values.count, values.forEachBuffer) }
    var few = values.all
    return nearestRanks(percentiles, of: &few)
  }

  /// Above this count, values are first counted by magnitude.
  private static let many = 1 << 14

  /// The same for many values, in two passes: the first counts values by magnitude, the second collects only those
  /// within a sixty-fourth of an octave of a wanted one.
  ///
  /// - Parameter forEach: calls its argument with all values, one buffer at a time.
  private static func nearestRanks(
    _ percentiles: [Double], ofMany count: Int, _ forEach: ((UnsafeBufferPointer<Double>) -> Void) -> Void
  ) -> [Double] {
    let shift = 46
    let middle = 1 << 17
    var counts = [Int32](repeating: 0, count: 2 * middle + 1)
    counts.withUnsafeMutableBufferPointer { counts in
      forEach { for value in $0 { counts[middle + Int(MagnitudeKey.key(of: value, shift: shift))] &+= 1 } }
    }
    var wanted: [Int: [Double]] = [:]
    var (place, below) = (0, 0)
    let found = percentiles.map { percentile in
      let rank = Quantile.rank(ofPercentile: percentile, count: count)
      if rank <= below { (place, below) = (0, 0) }
      while below + Int(counts[place]) < rank {
        below += Int(counts[place])
        place += 1
      }
      wanted[place] = []
      return (place: place, rank: rank - below)
    }
    var isWanted = [Bool](repeating: false, count: counts.count)
    for place in wanted.keys { isWanted[place] = true }
    isWanted.withUnsafeBufferPointer { isWanted in
      forEach {
        for value in $0 {
          let place = middle + Int(MagnitudeKey.key(of: value, shift: shift))
          if isWanted[place] { wanted[place, default: []].append(value) }
        }
      }
    }
    for place in wanted.keys { wanted[place]?.sort() }
    return found.map { wanted[$0.place]?[$0.rank - 1] ?? 0 }
  }

  /// Moves the value of a rank into its place, with smaller ones before it.
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
