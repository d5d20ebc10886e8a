/// The range of past levels of a series: the extremes of its windows, corrected for noise and forgotten over hours.
///
/// A level within the range is not a change. Without this rule, a sawtooth that falls every twelve minutes caused 1,400
/// false lines in 1,000 hours.
struct LevelRange: Sendable, Equatable {
  /// Fraction of the range forgotten on each side per window.
  private static let forgotten: Float = 0.0002
  /// Standard errors by which noise alone moves the extremes of a few hundred windows.
  private static let errors: Float = 3
  /// Distance beyond the range that makes a level new, as a fraction of the range.
  private static let margin: Float = 0.05
  private static let warmUp: Int32 = 12

  private var low: Float = 0
  private var high: Float = 0
  private var count: Int32 = 0

  /// Adds the median of a window with its standard error.
  mutating func add(_ value: Float, error: Float) {
    count = min(count &+ 1, 1 << 20)
    if count == 1 { (low, high) = (value, value) }
    let step = Self.forgotten * max(0, high - low)
    let noise = Self.errors * error
    (low, high) = (min(low + step, value + noise), max(high - step, value - noise))
  }

  /// True if a level lies beyond the range on the given side; always true during warm-up.
  func isNew(_ level: Float, side: Float) -> Bool {
    let beyond = Self.margin * (high - low)
    return count <= Self.warmUp || (side > 0 ? level > high + beyond : level < low - beyond)
  }
}
