import Aggregation
import TelemetryCore

/// The bins of two sides on a common grid, no finer than a comparison needs.
///
/// Thousands of narrow bins are joined: a comparison permutes its classes many times, and none of its statistics can
/// resolve a thousandth of the samples or a sixty-fourth of an octave. Overlapping bins are joined however few there
/// are: the bins of a time range are as wide as they have to be, and each of its values would otherwise lie a little
/// above or below the same value of the other side.
struct ComparedBins {
  let before: [HistogramBin]
  let after: [HistogramBin]

  /// The resolution of samples.
  enum Detail: Double {
    /// The finest resolution any statistic can make use of.
    case full = 1024
    /// Enough for one of many simultaneous comparisons.
    case coarse = 256

    /// Up to this many bins, only overlapping ones are joined.
    fileprivate var plenty: Int { Int(rawValue) * 2 }
    /// The largest share of all samples in one joined bin.
    fileprivate var share: Double { 1 / rawValue }
  }

  /// Maximum ratio of the upper to the lower bound of joined bins.
  private static let width = 1.011

  init(_ before: HistogramSide, _ after: HistogramSide, _ detail: Detail) {
    let isPlenty = before.bins.count + after.bins.count > detail.plenty
    let most = isPlenty ? (Double(before.count) + Double(after.count)) * detail.share : 0
    var bins: (before: [HistogramBin], after: [HistogramBin]) = ([], [])
    var (first, second) = (before.bins[...], after.bins[...])
    while let start = [first.first?.lower, second.first?.lower].compactMap({ $0 }).min() {
      var (countA, countB, end) = (0, 0, start)
      repeat {
        let takesFirst = (first.first?.lower ?? .infinity) <= (second.first?.lower ?? .infinity)
        guard let bin = takesFirst ? first.popFirst() : second.popFirst() else { break }
        if takesFirst {
          countA = countA.addingSaturated(bin.count)
        } else {
          countB = countB.addingSaturated(bin.count)
        }
        end = max(end, bin.upper)
      } while Self.takes(more: first.first, second.first, start, end, Double(countA) + Double(countB), most)
      if countA > 0 { bins.before.append(.init(lower: start, upper: end, count: countA)) }
      if countB > 0 { bins.after.append(.init(lower: start, upper: end, count: countB)) }
    }
    (self.before, self.after) = bins
  }

  /// True if the next bin of either side is joined to the current one.
  private static func takes(
    more first: HistogramBin?, _ second: HistogramBin?, _ start: Double, _ end: Double, _ count: Double,
    _ most: Double
  ) -> Bool {
    let next = min(first?.lower ?? .infinity, second?.lower ?? .infinity)
    guard next < .infinity else { return false }
    // Overlaps the current bin: the same narrow bin of the other side.
    if next < end { return true }
    let isNear = start > 0 ? next < start * width : start < 0 ? next < start / width : false
    return isNear && count < most
  }
}
