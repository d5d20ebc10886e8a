/// Collects the content of a window, from whole digests where possible and single samples where necessary.
struct WindowGatherer {
  let from: Double
  let to: Double
  /// True if single numbers are collected for exact percentiles; otherwise digests represent whole chunks.
  let isExact: Bool
  private(set) var digest = Digest()
  /// Numbers known individually.
  private(set) var values: [Double] = []
  /// Numbers known only by bin.
  private var sketches: [SketchHistogram] = []

  /// - Parameter expected: expected number of numbers to collect.
  init(from: Double, to: Double, isExact: Bool, expected: Int = 0) {
    self.from = from
    self.to = to
    self.isExact = isExact
    if isExact { values.reserveCapacity(expected) }
  }

  /// Adds the part of a chunk that lies in the window.
  mutating func add(_ chunk: RawSamples.Chunk) {
    if let known = chunk.digest, chunk.firstTime >= from, chunk.lastTime <= to {
      digest.merge(known, bins: 0)
      if isExact { collectNumbers(chunk.samples[...]) } else { sketches.append(known.sketch) }
      return
    }
    let samples = chunk.samples(from: from, to: to)
    for sample in samples { digest.record(sample, bins: 0) }
    collectNumbers(samples)
  }

  private mutating func collectNumbers(_ samples: ArraySlice<RawSample>) {
    for sample in samples {
      if let number = sample.number { values.append(number) }
    }
  }

  /// Adds a rollup slot as a whole if the middle of its samples lies in the window, and not at all otherwise.
  mutating func add(_ slot: Rollup.Slot) {
    let middle = slot.digest.firstTime / 2 + slot.digest.lastTime / 2
    guard middle >= from, middle <= to else { return }
    digest.merge(slot.digest, bins: 0)
    sketches.append(slot.digest.sketch)
  }

  /// The bins of all sketches; sketches of equal coarseness have the same bins, so their counts add up.
  var bins: [HistogramBin] {
    Dictionary(grouping: sketches, by: \.shift).sorted { $0.key < $1.key }
      .flatMap { SketchHistogram.merging($0.value, limit: .max).intervals }
  }

  /// The percentiles (0 to 100, ascending) of all numbers of the window.
  mutating func quantiles(_ percentiles: [Double]) -> [Quantile] {
    let known = digest.moments.count
    guard known > 0, !percentiles.isEmpty else { return [] }
    if values.count == known {
      return Selection.nearestRanks(percentiles, of: &values).map { Quantile(exact: $0) }
    }
    let (least, most) = (digest.moments.minimum, digest.moments.maximum)
    let single = values.map { HistogramBin(lower: $0, upper: $0, count: 1) }
    return RankBounds(bins + single).quantiles(percentiles).map { quantile in
      let clamp = { max(least, min(most, $0)) }
      return Quantile(
        value: clamp(quantile.value), lower: clamp(quantile.lower), upper: clamp(quantile.upper))
    }
  }
}

/// Percentiles of counts in bins that may overlap, with bounds on the true values.
package struct RankBounds {
  private let bins: [HistogramBin]
  private let uppers: [(value: Double, count: Int)]
  private let count: Int

  package init(_ bins: [HistogramBin]) {
    self.bins = bins.sorted { $0.lower < $1.lower }
    uppers = bins.map { ($0.upper, $0.count) }.sorted { $0.0 < $1.0 }
    count = bins.reduce(0) { $0 + $1.count }
  }

  /// The value at each rank lies between its values with every sample at the lower boundary of its bin and with every
  /// sample at the upper; the estimate is interpolated inside the bin.
  package func quantiles(_ percentiles: [Double]) -> [Quantile] {
    var found: [Quantile] = []
    var (low, below, high, belowHigh) = (0, 0, 0, 0)
    for percentile in percentiles {
      let rank = Quantile.rank(ofPercentile: percentile, count: count)
      while low < bins.count - 1, below + bins[low].count < rank {
        below += bins[low].count
        low += 1
      }
      while high < uppers.count - 1, belowHigh + uppers[high].count < rank {
        belowHigh += uppers[high].count
        high += 1
      }
      guard bins.indices.contains(low), uppers.indices.contains(high) else { return [] }
      let bin = bins[low]
      let share = (Double(rank - below) - 0.5) / Double(max(1, bin.count))
      let guess = bin.lower * (1 - share) + bin.upper * share
      let (lower, upper) = (bin.lower, max(bin.lower, uppers[high].value))
      found.append(Quantile(value: max(lower, min(upper, guess)), lower: lower, upper: upper))
    }
    return found
  }
}
