/// Count, mean, standard deviation, smallest and largest of a series of numbers; merging two gives the same as
/// recording all of both.
///
/// The mean comes from a compensated sum; the spread from Chan's way of joining blocks, over values scaled by a power of
/// two, so that neither 1e300 nor 1e-300 leaves the range of a double when it is squared. A block is never larger than
/// all before it, and its values are taken by their distance from the mean of those: so little is lost when squares
/// are subtracted, and a value costs no division.
package struct Moments: Sendable, Equatable {
  /// How many values were recorded.
  package private(set) var count = 0
  /// The smallest value; +∞ while there is none.
  package private(set) var minimum = Double.infinity
  /// The largest value; -∞ while there is none.
  package private(set) var maximum = -Double.infinity

  private var sum = CompensatedSum()
  /// True if every value was at hand, so that their spread is known.
  private var isSpreadKnown = true
  /// A power of two, not a number until the first value that is not zero.
  private var scale = Double.nan
  /// The first value: the spread of values far from zero is found by their distance from it.
  private var scaledShift = 0.0
  /// The mean distance from the shift, and the squared distances from the mean, of all blocks that are complete.
  private var scaledMean = 0.0
  private var scaledSquares = 0.0
  /// How many values the complete blocks have, and when the one under way is complete.
  private var settled = 0
  private var blockEnd = 1
  /// The distances from `scaledMean` in the block under way, and their squares.
  private var blockSum = 0.0
  private var blockSquares = 0.0

  /// Beyond this the square of a scaled value could leave the range; the scale is then lowered.
  private static let scaledLimit = 0x1p400
  /// How many values a block has at most.
  private static let blockLimit = 1024

  package init() {}

  /// The moments of values of which no more is known than this; their spread is not.
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

  /// Joins the block under way to those before it.
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

  /// The value under a scale that suits it, after bringing what was gathered so far to that scale.
  @inline(never)
  private mutating func rescaled(for value: Double) -> Double {
    guard value != 0 else { return 0 }
    settle()
    // Clamped so that the scale itself stays a normal number.
    lowerScale(to: Self.power(-max(-1000, min(1000, value.exponent))))
    if count == 0 { scaledShift = value * scale }
    return value * scale
  }

  /// All blocks must be complete.
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

  /// Takes in all that `other` has recorded.
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

  /// The sum of all values; infinite only where it has no double.
  package var total: Double { sum.value }

  /// The arithmetic mean, never outside the range of the values; `nil` without a value.
  package var mean: Double? {
    sum.mean(count: count).map { max(minimum, min(maximum, $0)) }
  }

  /// The population's standard deviation (divided by n), `nil` without a value and where some are known by their sum only.
  package var standardDeviation: Double? {
    guard count > 0, isSpreadKnown else { return nil }
    guard !scale.isNaN, minimum < maximum else { return 0 }
    var all = self
    all.settle()
    return (max(0, all.scaledSquares) / Double(count)).squareRoot() / scale
  }
}
