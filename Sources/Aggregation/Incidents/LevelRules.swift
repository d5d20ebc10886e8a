/// The ladder of windows: the length and the alarm thresholds of each rung.
///
/// A series too sparse for a rung closes its windows later, by count: 5 samples in the shortest rung, 3 windows of the
/// rung below in the others.
enum LevelRules {
  /// Minimum number of samples in a window of the shortest rung.
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
  /// Minimum deviation, as a fraction of the usual level.
  static let floor: Float = 0.02
  /// Minimum length of a ramp in standard deviations of a random walk of its age.
  ///
  /// Of the ramps told in random walks of 0.5 % per sample, 7 of 9 were shorter, and none of those of 600 leaks.
  static let wander: Float = 4
  /// Minimum distance of an outlier on a logarithmic scale: × 1.5.
  static let outlier: Float = 0.405
  /// Windows before outliers are reported; by then, a job that runs every minute has been seen twice.
  static let outlierWarmUp: Int32 = 15
  /// Consecutive far samples that form a level instead of an outlier, and usual samples that end an outlier.
  static let levelCount: Int32 = 5
  static let calmCount: Int32 = 4

  static let tail = RungRule(
    seconds: 60, capacity: 40, skipped: 2, warmUp: 10, slack: 1.1, threshold: 7, leastChange: 1,
    findsFalls: false)
  static let rate = RungRule(
    seconds: 10, capacity: 24, skipped: 2, warmUp: 12, slack: 1.25, threshold: 6.75, leastChange: 1,
    findsFalls: true)
}

/// Trimmed mean of windows, without the largest and the smallest.
struct WindowMean: Sendable, Equatable {
  private(set) var start = 0.0
  private(set) var count: Int32 = 0
  private var sum: Float = 0
  private var least = Float.infinity
  private var most = -Float.infinity

  mutating func add(_ value: Float, from start: Double) {
    if count == 0 { self.start = start }
    count = count &+ 1
    sum += value
    (least, most) = (min(least, value), max(most, value))
  }

  var mean: Float {
    count > 2 ? (sum - least - most) / Float(count - 2) : count == 0 ? 0 : sum / Float(count)
  }
}
