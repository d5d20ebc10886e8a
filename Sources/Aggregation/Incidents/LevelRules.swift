/// The ladder of windows: seconds, and what each rung needs to alarm.
///
/// A series that is too sparse for a rung closes its windows later, by count: 5 samples in the shortest, 3
/// windows of one rung in the next.
enum LevelRules {
  /// Samples of the shortest window, at least.
  static let samples: Int32 = 5
  static let ladder = [
    RungRule(
      seconds: 10, capacity: 20, skipped: 2, warmUp: 12, slack: 1.5, threshold: 10, leastChange: 0.26,
      findsFalls: true, gain: 0.05, delay: 0, leastLength: 10),
    RungRule(
      seconds: 60, capacity: 40, skipped: 3, warmUp: 10, slack: 1.25, threshold: 6, leastChange: 0.5,
      findsFalls: true, gain: 0.03, delay: 20, leastLength: 40),
    RungRule(
      seconds: 600, capacity: 24, skipped: 2, warmUp: 12, slack: 2, threshold: 8, leastChange: 0.3,
      findsFalls: true, gain: 0.03, delay: 0, leastLength: 40),
    RungRule(
      seconds: 3600, capacity: 24, skipped: 2, warmUp: 12, slack: 2, threshold: 8, leastChange: 0.3,
      findsFalls: true, gain: 0.03, delay: 0, leastLength: 40),
  ]
  /// The least deviation, as a share of the usual level.
  static let floor: Float = 0.02
  /// The least distance of an outlier, on a logarithmic scale: × 1.5.
  static let outlier: Float = 0.405
  /// Windows before there are outliers: a job that runs every minute has been seen twice by then.
  static let outlierWarmUp: Int32 = 15
  /// Samples in a row that are no outlier any more but a level, and usual ones that end a few outliers.
  static let levelCount: Int32 = 5
  static let calmCount: Int32 = 4

  static let tail = RungRule(
    seconds: 60, capacity: 40, skipped: 2, warmUp: 10, slack: 1.1, threshold: 7, leastChange: 1,
    findsFalls: false)
  static let rate = RungRule(
    seconds: 10, capacity: 24, skipped: 2, warmUp: 12, slack: 1.25, threshold: 6.75, leastChange: 1,
    findsFalls: true)
}

/// The robust mean of some windows: that without the largest and the smallest.
struct WindowMean: Sendable, Equatable {
  private(set) var start = 0.0
  private(set) var count: Int32 = 0
  private var sum: Float = 0
  private var least = Float.infinity
  private var most = -Float.infinity
  private(set) var split = 0.0

  mutating func add(_ value: Float, from start: Double, split: Double) {
    if count == 0 { (self.start, self.split) = (start, split) }
    count = count &+ 1
    sum += value
    (least, most) = (min(least, value), max(most, value))
  }

  var mean: Float {
    count > 2 ? (sum - least - most) / Float(count - 2) : count == 0 ? 0 : sum / Float(count)
  }
}
