import Aggregation
import TelemetryCore

/// The bins of two sides as a comparison takes them: the same for both, and not more than it needs.
///
/// Narrow bins are joined where there are thousands: a comparison deals its classes out many times, and a thousandth of
/// the samples, or a sixty-fourth of an octave, is more than any of its statistics can tell apart. However few they are,
/// those that overlap are joined: a stretch of time has bins as wide as they have to be, and each value of it would lie a
/// little above or below the same one of the other side.
struct ComparedBins {
  let before: [HistogramBin]
  let after: [HistogramBin]

  /// How closely samples are looked at.
  enum Detail: Double {
    /// As closely as anything can be told apart.
    case full = 1024
    /// Enough for one of many comparisons at once.
    case coarse = 256

    /// Up to this many bins are joined only where they overlap.
    fileprivate var plenty: Int { Int(rawValue) * 2 }
    /// The largest share of all samples in one bin, where it is joined.
    fileprivate var share: Double { 1 / rawValue }
  }

  /// How much wider than its lower bound a joined bin is at most.
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

  /// True if the next bin of either side goes into the same one.
  private static func takes(
    more first: HistogramBin?, _ second: HistogramBin?, _ start: Double, _ end: Double, _ count: Double,
    _ most: Double
  ) -> Bool {
    let next = min(first?.lower ?? .infinity, second?.lower ?? .infinity)
    guard next < .infinity else { return false }
    // The same narrow bin of the other side belongs to this one.
    if next < end { return true }
    let isNear = start > 0 ? next < start * width : start < 0 ? next < start / width : false
    return isNear && count < most
  }
}
