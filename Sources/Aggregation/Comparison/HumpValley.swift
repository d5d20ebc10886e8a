import Essentials

/// The valley between two peaks of a histogram, on a logarithmic scale of values.
///
/// The density is smoothed over a factor of 1.2. It is smoothed more where bins are wider than that, so that bins do
/// not produce peaks, and where values are farther apart than that, such as small whole numbers. If values are
/// negative, there is no such scale and no valley. A valley counts if the lower peak is at least half as high again, by
/// more than three standard deviations of the underlying counts, and if each side has 3 % of the samples and at least ten of them.
struct HumpValley {
  /// Position of the deepest point, in the unit of the samples.
  let place: Double

  private static let cells = 240
  /// Smaller values are raised to this, or to a thousandth of the largest values if that is less.
  private static let leastValue = 0.5
  /// Standard deviation of the smoothing curve, in natural logarithms.
  fileprivate static let smoothing = 0.2

  /// The deepest valley; `nil` if there is only one peak.
  init?(_ bins: [HistogramBin]) {
    guard let density = Self.density(of: bins), let found = density.deepestValley else { return nil }
    place = exp(density.first + Double(found) * density.step)
  }

  private static func density(of bins: [HistogramBin]) -> SmoothedDensity? {
    let ranks = HistogramRanks(bins)
    let value = { (percentile: Double) in ranks.quantile(ofPercentile: percentile).value }
    // The outermost samples may be arbitrarily far out and say nothing about peaks.
    let (lowest, highest) = (value(0.1), value(99.9))
    guard lowest >= 0, highest > 0 else { return nil }
    let apart = leastDistance(bins)
    let least = max(apart / 2, min(leastValue, highest / 1000))
    let time = { (value: Double) in log(max(least, value)) }
    let (first, last) = (time(lowest) - 3 * smoothing, time(highest) + 3 * smoothing)
    guard last > first, first.isFinite, last.isFinite else { return nil }
    var density = SmoothedDensity(first: first, step: (last - first) / Double(cells - 1), cells: cells)
    for bin in bins {
      let middle = max(least, bin.lower / 2 + bin.upper / 2)
      let width = min(2, max(apart, bin.upper - bin.lower) / middle)
      density.add(
        Double(bin.count), at: log(middle), width: (smoothing * smoothing + width * width / 4).squareRoot())
    }
    density.smooth()
    return density
  }

  /// Smallest distance between neighbouring values: 1 for whole numbers; 0 if there is only one value.
  private static func leastDistance(_ bins: [HistogramBin]) -> Double {
    var (least, previous) = (Double.infinity, Double?.none)
    for middle in bins.map(\.middle) {
      if let previous, middle > previous { least = min(least, middle - previous) }
      previous = middle
    }
    return least.isFinite ? least : 0
  }
}

/// A density over the logarithm of values, divided into cells.
private struct SmoothedDensity {
  let first: Double
  let step: Double
  private var samples: [Double]
  /// Sum of the smoothing widths of each cell's samples.
  private var widths: [Double]
  private var heights: [Double] = []
  private var count = 0.0

  init(first: Double, step: Double, cells: Int) {
    (self.first, self.step) = (first, step)
    samples = [Double](repeating: 0, count: cells)
    widths = samples
  }

  mutating func add(_ count: Double, at place: Double, width: Double) {
    self.count += count
    let cell = ((place - first) / step).rounded()
    guard cell >= 0, cell < Double(samples.count) else { return }
    samples[Int(cell)] += count
    widths[Int(cell)] += count * width
  }

  /// Spreads the samples of each cell with a normal curve.
  mutating func smooth() {
    heights = [Double](repeating: 0, count: samples.count)
    for cell in samples.indices where samples[cell] > 0 {
      let width = widths[cell] / samples[cell] / step
      let height = samples[cell] / count / (width * step)
      let reach = Int(min(Double(samples.count), (4 * width).rounded(.up)))
      for place in max(0, cell - reach)...min(samples.count - 1, cell + reach) {
        let distance = Double(place - cell) / width
        heights[place] += height * exp(-distance * distance / 2) * 0.398_942_280_4
      }
    }
  }

  /// The cell that is deepest relative to the lower of the peaks on its two sides.
  var deepestValley: Int? {
    var (below, left, deepest) = (0.0, 0.0, (cell: Int?.none, ratio: 1 / 1.5))
    let right = Self.largestBehind(heights)
    let all = samples.reduce(0, +)
    for cell in heights.indices {
      below += samples[cell]
      left = max(left, heights[cell])
      let hump = min(left, right[cell])
      guard hump > 0, heights[cell] < hump * deepest.ratio else { continue }
      let least = max(10, 0.03 * all)
      guard below >= least, all - below >= least, isClear(hump: hump, valley: heights[cell]) else { continue }
      deepest = (cell, heights[cell] / hump)
    }
    return deepest.cell
  }

  /// True if the difference of two heights exceeds three standard deviations; a height rests on the samples in a window
  /// of 2√π widths of its curve.
  private func isClear(hump: Double, valley: Double) -> Bool {
    let window = count * 2 * Double.pi.squareRoot() * HumpValley.smoothing
    return (hump - valley) * window.squareRoot() > 3 * (hump + valley).squareRoot()
  }

  private static func largestBehind(_ heights: [Double]) -> [Double] {
    var largest = 0.0
    return heights.reversed().map { height in
      largest = max(largest, height)
      return largest
    }.reversed()
  }
}

extension [HistogramBin] {
  /// The share of samples above a value, from 0 to 1; samples count as evenly spread over their bin.
  func share(above value: Double) -> Double {
    var (above, all) = (0.0, 0.0)
    for bin in self {
      let count = Double(bin.count)
      all += count
      if bin.lower >= value {
        above += count
      } else if bin.upper > value {
        above += count * ((bin.upper - value) / (bin.upper - bin.lower))
      }
    }
    return all > 0 ? above / all : 0
  }
}
