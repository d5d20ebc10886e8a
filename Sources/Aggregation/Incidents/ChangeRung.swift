import Essentials

/// The window and thresholds of one rung of the ladder.
struct RungRule: Sendable {
  /// Minimum length of a window in seconds.
  let seconds: Float
  /// Windows kept for the median that is the usual level, and how many of the newest it leaves out.
  let capacity: Int
  let skipped: Int
  /// Windows before alarms are raised.
  let warmUp: Int
  /// Deviations subtracted from each window, and the sum that raises an alarm under the reference budget.
  var slack: Float
  let threshold: Float
  /// Smallest reported change, on the scale of the statistic.
  let leastChange: Float
  let findsFalls: Bool
  /// Learning rate of the spread: how much one window moves it.
  var gain: Float = 0.05
  /// Windows before a distance is learned.
  var delay = 0
  /// Windows after which a change too small to be reported becomes usual.
  var leastLength = 10
}

/// A change found by a rung.
struct RungAlarm: Sendable, Equatable {
  /// 1 up, -1 down.
  var side: Float
  /// Start of the change, at the split that maximizes the likelihood.
  var start: Double
  var usual: Float
  /// Median of the windows since the start.
  var level: Float
  /// Standard deviation of a window around the usual level.
  var deviation: Float
  /// Windows since the start.
  var count: Int32
  /// Time of the last sample before the change, if known.
  var last: Double?
}

/// One rung of the ladder: a change detector over a statistic of windows of one length.
///
/// A two-sided CUSUM (Page 1954) of z = (statistic − usual) ÷ deviation. The usual level is the median of the statistic
/// over the last windows, without the newest. The deviation is the usual distance from that median, so it already
/// includes slow trends and autocorrelation. In the Python prototype this found × 2 in 20 of 20 series with 5 false
/// lines in 400 hours; the previous detector found 3 of 20 with 94.
///
/// Random walks and leaks need three more provisions:
/// - The peaks that a CUSUM reaches before it falls back to zero are exponentially distributed (Siegmund 1985). If they
///   are larger than ordinary ones, the threshold grows in proportion (`CusumRun.inflation`).
/// - The wandering of the level (`WalkEstimate`) is part of the deviation, increasingly so the longer a sum lasts.
/// - The one-minute rung learns distances with a delay; otherwise a leak would become usual before it is found. Of 100
///   leaks to × 2 in 20 minutes, 24 were found without the delay and 96 with it.
///
/// A change too small to be reported becomes usual after some windows. Without this, the usual level stayed frozen
/// while a random walk moved on, which caused most of its false lines (115 in 1,000 hours).
struct ChangeRung: Sendable, Equatable {
  private static let clip: Float = 6
  private static let longestRun = 16
  /// Additional slack, in deviations, if the entire spread is wandering.
  private static let wanderSlack: Float = 2

  /// The newest usual windows, oldest first.
  private(set) var windows = RunningMedian()
  private(set) var spread = SpreadEstimate()
  private(set) var usual: Float = 0
  private(set) var deviation: Float = 0
  /// Distances held back until they are old; otherwise a leak would become usual before it is found.
  private var pending = RecentValues()
  private(set) var up = CusumRun()
  private(set) var down = CusumRun()

  /// True once alarms are possible.
  func isReady(_ rule: RungRule) -> Bool { windows.count >= rule.warmUp }

  /// True while a change is suspected.
  func isSuspicious(_ rule: RungRule, _ budget: DetectionBudget) -> Bool {
    max(up.sum, down.sum) > budget.scale * rule.threshold / 3
  }

  /// Records a window.
  ///
  /// - Parameters:
  ///   - floor: the minimum deviation, such as the standard error of the window's median.
  ///   - split: the start of the change if this is its first window.
  mutating func record(
    _ value: Float, floor: Float, split: StartTimes, _ rule: RungRule, _ unit: Float = 1, wander: Float = 0,
    _ budget: DetectionBudget
  ) -> RungAlarm? {
    guard isReady(rule) else {
      learn(value, rule)
      return nil
    }
    let age = Float(rule.skipped + rule.capacity / 3 + max(up.windows.count, down.windows.count))
    let wandered = wander * rule.seconds * age
    deviation = max(spread.deviation, floor, wandered.squareRoot())
    let z = max(-Self.clip, min(Self.clip, (value - usual) / max(deviation, 1e-9)))
    let scale = budget.scale
    // Where the level wanders, neighbouring windows are not independent evidence.
    let slack = rule.slack + Self.wanderSlack * min(1, wandered / max(deviation * deviation, 1e-12))
    up.add(z - slack, value, split, Self.longestRun)
    down.add(-z - slack, value, split, Self.longestRun)
    if let alarm = alarm(up, 1, rule, scale, unit)
      ?? (rule.findsFalls ? alarm(down, -1, rule, scale, unit) : nil)
    {
      return alarm
    }
    forgiveSmall(up, rule, scale)
    forgiveSmall(down, rule, scale)
    // Frozen while a change is suspected; otherwise a slow change would become usual before it is found.
    if !isSuspicious(rule, budget) { learn(value, rule) }
    return nil
  }

  private func alarm(
    _ run: CusumRun, _ side: Float, _ rule: RungRule, _ scale: Float, _ unit: Float
  ) -> RungAlarm? {
    guard run.windows.count >= 2, run.sum > scale * rule.threshold * max(1, run.inflation) else { return nil }
    let split = run.split(slack: rule.slack)
    let since = run.windows[split...]
    let level = median(of: since.map(\.value))
    guard abs(level - usual) >= rule.leastChange * unit else { return nil }
    return RungAlarm(
      side: side, start: run.windows[split].split.time(of: level - usual, unit), usual: usual, level: level,
      deviation: deviation,
      count: Int32(since.count))
  }

  /// Accepts a small lasting change as usual: it is never reported, and while it is suspected nothing is learned.
  private mutating func forgiveSmall(_ run: CusumRun, _ rule: RungRule, _ scale: Float) {
    guard run.sum > scale * rule.threshold, run.length >= rule.leastLength else { return }
    let level = median(of: run.windows.map(\.value))
    spread.add(level - usual, gain: rule.gain)
    rebase(to: level)
  }

  private mutating func learn(_ value: Float, _ rule: RungRule) {
    if windows.count > rule.skipped + 3 {
      let distance = value - usual
      let isDelayed = rule.delay > 0 && isReady(rule)
      if let old = isDelayed ? pending.append(distance, capacity: rule.delay) : distance {
        spread.add(old, gain: rule.gain)
      }
    }
    windows.append(value, capacity: rule.capacity, skipped: rule.skipped)
    usual = windows.median
  }

  /// Makes another level the usual one and keeps the known spread.
  ///
  /// - Parameter learns: true if the sums so far count as ordinary, for statistics with many harmless changes.
  mutating func rebase(to level: Float, learns: Bool = false) {
    if learns {
      up.close()
      down.close()
    }
    let shift = level - usual
    windows.shift(by: shift)
    usual = level
    up.reset()
    down.reset()
  }
}
