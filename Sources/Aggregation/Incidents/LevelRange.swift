/// Between which levels a series has been: the extremes of its windows, less their noise, forgotten within
/// hours.
///
/// A level where it has been is no change: a sawtooth that falls every twelve minutes had 1,400 false lines
/// in 1,000 hours.
struct LevelRange: Sendable, Equatable {
  /// The part of the range that is forgotten with each window on either side.
  private static let forgotten: Float = 0.0002
  /// Standard errors by which noise alone moves the extremes of some hundred windows.
  private static let errors: Float = 3
  /// How far beyond a level has to be, as a part of the range.
  private static let margin: Float = 0.05
  private static let warmUp: Int32 = 12

  private var low: Float = 0
  private var high: Float = 0
  private var count: Int32 = 0

  /// Adds the median of a window, and its standard error.
  mutating func add(_ value: Float, error: Float) {
    count = min(count &+ 1, 1 << 20)
    if count == 1 { (low, high) = (value, value) }
    let step = Self.forgotten * max(0, high - low)
    let noise = Self.errors * error
    (low, high) = (min(low + step, value + noise), max(high - step, value - noise))
  }

  /// True for a level beyond all of them on a side.
  func isNew(_ level: Float, side: Float) -> Bool {
    let beyond = Self.margin * (high - low)
    return count <= Self.warmUp || (side > 0 ? level > high + beyond : level < low - beyond)
  }
}
