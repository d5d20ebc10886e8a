/// Collects what a window holds, from whole digests where it can and single samples where it must.
struct WindowGatherer {
  let from: Double
  let to: Double
  /// True if single numbers are collected for exact percentiles; else digests stand for whole chunks.
  let isExact: Bool
  private(set) var digest = Digest()
  /// Numbers at hand one by one.
  private(set) var values: [Double] = []
  /// Numbers known by bin only.
  private var sketches: [SketchHistogram] = []

  /// - Parameter expected: how many numbers may have to be collected.
  init(from: Double, to: Double, isExact: Bool, expected: Int = 0) {
    self.from = from
    self.to = to
    self.isExact = isExact
    if isExact { values.reserveCapacity(expected) }
  }

  /// Takes in the part of a chunk that lies in the window.
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

  /// Takes in a slot of a rollup, whole or not at all: whole where the middle of its samples lies in the window.
  mutating func add(_ slot: Rollup.Slot) {
    let middle = slot.digest.firstTime / 2 + slot.digest.lastTime / 2
    guard middle >= from, middle <= to else { return }
    digest.merge(slot.digest, bins: 0)
    sketches.append(slot.digest.sketch)
  }

  /// The bins of all sketches: those of one width are the same in each, so that their counts add up.
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

/// Percentiles of counts in bins that may overlap, with the bounds that the true values must lie in.
package struct RankBounds {
  private let bins: [HistogramBin]
  private let uppers: [(value: Double, count: Int)]
  private let count: Int

  package init(_ bins: [HistogramBin]) {
    self.bins = bins.sorted { $0.lower < $1.lower }
    uppers = bins.map { ($0.upper, $0.count) }.sorted { $0.0 < $1.0 }
    count = bins.reduce(0) { $0 + $1.count }
  }

  /// The value of each rank lies between the value of that rank if every sample lay at its bin's lower boundary
  /// and the one if every sample lay at the upper; the guess is interpolated inside the bin.
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
