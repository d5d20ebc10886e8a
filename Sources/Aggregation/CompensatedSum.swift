/// A sum of doubles that tracks the rounding error of every addition.
///
/// The error of the result is about two units in the last place plus `n·ε²·Σ|v|` (Neumaier's bound), so a mean over 10⁸
/// samples is accurate to far better than 1e-12. Values of 2⁹⁶⁰ and above are summed separately, scaled down, so that a
/// thousand readings of 1e308 do not overflow.
package struct CompensatedSum: Sendable, Equatable {
  /// Magnitude from which values go to the scaled-down sum.
  private static let largeLimit: Double = 0x1p960
  private static let largeScale: Double = 0x1p-100
  private static let largeUnscale: Double = 0x1p100

  private var total: Double = 0
  private var correction: Double = 0
  private var largeTotal: Double = 0
  private var largeCorrection: Double = 0

  package init() {}

  /// The four components of the sum, for storage outside of memory.
  package var parts: [Double] { [total, correction, largeTotal, largeCorrection] }

  /// Restores a sum from its parts; `nil` unless there are four.
  package init?(parts: [Double]) {
    guard parts.count == 4 else { return nil }
    (total, correction, largeTotal, largeCorrection) = (parts[0], parts[1], parts[2], parts[3])
  }

  /// Adds a finite value.
  @inline(__always)
  package mutating func add(_ value: Double) {
    guard value.magnitude < Self.largeLimit else { return addLarge(value) }
    let (sum, error) = Self.twoSum(total, value)
    total = sum
    correction += error
  }

  @inline(never)
  private mutating func addLarge(_ value: Double) {
    let (sum, error) = Self.twoSum(largeTotal, value * Self.largeScale)
    largeTotal = sum
    largeCorrection += error
  }

  /// Adds everything that `other` has summed.
  package mutating func merge(_ other: CompensatedSum) {
    let (sum, error) = Self.twoSum(total, other.total)
    total = sum
    correction += error + other.correction
    let (large, largeError) = Self.twoSum(largeTotal, other.largeTotal)
    largeTotal = large
    largeCorrection += largeError + other.largeCorrection
  }

  /// The sum; infinite only if the true sum exceeds the range of a double.
  package var value: Double {
    (total + correction) + (largeTotal + largeCorrection) * Self.largeUnscale
  }

  /// The sum divided by `count`, without an intermediate sum that may overflow; `nil` if `count` is 0.
  package func mean(count: Int) -> Double? {
    guard count > 0 else { return nil }
    let divisor = Double(count)
    guard largeTotal != 0 || largeCorrection != 0 else { return (total + correction) / divisor }
    return (total + correction) / divisor + (largeTotal + largeCorrection) / divisor * Self.largeUnscale
  }

  /// The rounded sum of two doubles and its exact rounding error (Knuth's TwoSum).
  @inline(__always)
  private static func twoSum(_ a: Double, _ b: Double) -> (sum: Double, error: Double) {
    let sum = a + b
    let part = sum - a
    return (sum, (a - (sum - part)) + (b - part))
  }
}
