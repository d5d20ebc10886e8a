/// Count, mean, standard deviation, minimum and maximum of a series of numbers; merging two gives the same result as
/// recording all values of both.
///
/// The mean comes from a compensated sum. The spread comes from Chan's method of combining blocks, over values scaled
/// by a power of two, so that squaring neither 1e300 nor 1e-300 leaves the range of a double. A block is never larger
/// than everything before it, and its values are taken as distances from the mean of those: subtracting squares then
/// loses little precision, and a value costs no division.
package struct Moments: Sendable, Equatable {
  /// Number of values recorded.
  package private(set) var count = 0
  /// The smallest value; +∞ if there is none.
  package private(set) var minimum = Double.infinity
  /// The largest value; -∞ if there is none.
  package private(set) var maximum = -Double.infinity

  private var sum = CompensatedSum()
  /// True if every value was recorded individually, so that the spread is known.
  private var isSpreadKnown = true
  /// A power of two; NaN until the first nonzero value.
  private var scale = Double.nan
  /// The first value: distances from it give the spread of values far from zero.
  private var scaledShift = 0.0
  /// Mean distance from the shift and sum of squared distances from the mean, over all complete blocks.
  private var scaledMean = 0.0
  private var scaledSquares = 0.0
  /// Number of values in complete blocks, and the count that completes the current one.
  private var settled = 0
  private var blockEnd = 1
  /// Sum of the distances from `scaledMean` in the current block, and of their squares.
  private var blockSum = 0.0
  private var blockSquares = 0.0

  /// Above this, the square of a scaled value could leave the range, so the scale is lowered.
  private static let scaledLimit = 0x1p400
  /// Maximum number of values in a block.
  private static let blockLimit = 1024

  package init() {}

  /// The moments of values known only by these figures; their spread is unknown.
  init(count: Int, sum: CompensatedSum, minimum: Double, maximum: Double) {
    guard count > 0 else { return }
    (self.count, self.sum, self.minimum, self.maximum) = (count, sum, minimum, maximum)
    (settled, blockEnd) = (count, count &+ 1)
    isSpreadKnown = false
  }

  /// Records one finite value.
  @inline(__always)
  package mutating func record(_ value: Double) {
    var scaled = value * scale
    if !(scaled.magnitude < Self.scaledLimit) { scaled = rescaled(for: value) }
    count &+= 1
    minimum = value < minimum ? value : minimum
    maximum = value > maximum ? value : maximum
    sum.add(value)
    let distance = (scaled - scaledShift) - scaledMean
    blockSum += distance
    blockSquares += distance * distance
    if count >= blockEnd { settle() }
  }

  /// Merges the current block into the complete ones.
  @inline(never)
  private mutating func settle() {
    let block = Double(count - settled)
    if block > 0 {
      let share = block / Double(count)
      let mean = blockSum / block
      scaledSquares += max(0, blockSquares - blockSum * mean) + mean * mean * (Double(settled) * share)
      scaledMean += mean * share
    }
    (blockSum, blockSquares) = (0, 0)
    settled = count
    blockEnd = count &+ max(1, min(count, Self.blockLimit))
  }

  /// The value at a suitable scale, after converting everything recorded so far to that scale.
  @inline(never)
  private mutating func rescaled(for value: Double) -> Double {
    guard value != 0 else { return 0 }
    settle()
    // Clamped so that the scale itself stays a normal number.
    lowerScale(to: Self.power(-max(-1000, min(1000, value.exponent))))
    if count == 0 { scaledShift = value * scale }
    return value * scale
  }

  /// Requires all blocks to be complete.
  private mutating func lowerScale(to target: Double) {
    if !scale.isNaN {
      let ratio = target / scale
      scaledShift *= ratio
      scaledMean *= ratio
      scaledSquares = scaledSquares * ratio * ratio
    }
    scale = target
  }

  private static func power(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// Merges everything that `other` has recorded.
  package mutating func merge(_ other: Moments) {
    guard other.count > 0 else { return }
    guard count > 0 else {
      self = other
      return
    }
    var other = other
    settle()
    other.settle()
    let common = Self.smaller(scale, other.scale)
    if !common.isNaN {
      lowerScale(to: common)
      other.lowerScale(to: common)
    }
    let (mine, theirs) = (Double(count), Double(other.count))
    let all = mine + theirs
    let delta = (other.scaledShift - scaledShift) + (other.scaledMean - scaledMean)
    scaledSquares += other.scaledSquares + delta * delta * (mine * theirs / all)
    scaledMean += delta * (theirs / all)
    count &+= other.count
    settled = count
    blockEnd = count &+ min(count, Self.blockLimit)
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    sum.merge(other.sum)
    isSpreadKnown = isSpreadKnown && other.isSpreadKnown
  }

  private static func smaller(_ a: Double, _ b: Double) -> Double {
    if a.isNaN { return b }
    if b.isNaN { return a }
    return min(a, b)
  }

  /// The sum of all values; infinite only if it exceeds the range of a double.
  package var total: Double { sum.value }

  /// The arithmetic mean, never outside the range of the values; `nil` if there are none.
  package var mean: Double? {
    sum.mean(count: count).map { max(minimum, min(maximum, $0)) }
  }

  /// The population's standard deviation (divided by n); `nil` without values or if some are known only by their sum.
  package var standardDeviation: Double? {
    guard count > 0, isSpreadKnown else { return nil }
    guard !scale.isNaN, minimum < maximum else { return 0 }
    var all = self
    all.settle()
    return (max(0, all.scaledSquares) / Double(count)).squareRoot() / scale
  }
}
