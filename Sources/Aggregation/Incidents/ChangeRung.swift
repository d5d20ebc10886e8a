import Essentials

/// The window and thresholds of one rung of the ladder.
struct RungRule: Sendable {
  /// Seconds of a window, at least.
  let seconds: Float
  /// Windows that the usual is the median of, and newest ones that it leaves out.
  let capacity: Int
  let skipped: Int
  /// Windows before there are alarms.
  let warmUp: Int
  /// Deviations that are taken off each window, and the least sum that alarms, with the budget of reference.
  var slack: Float
  let threshold: Float
  /// The least change that is told, on the scale of the statistic.
  let leastChange: Float
  let findsFalls: Bool
  /// How fast the spread is learned: by how much a window moves it.
  var gain: Float = 0.05
  /// Windows before a distance is learned.
  var delay = 0
  /// Windows after which a change that is too small to be told is usual.
  var leastLength = 10
}

/// A change that a rung found.
struct RungAlarm: Sendable, Equatable {
  /// 1 up, -1 down.
  var side: Float
  /// When it began, by the split that maximizes the likelihood.
  var start: Double
  var usual: Float
  /// The median of the windows since.
  var level: Float
  /// The standard deviation of a window around its usual.
  var deviation: Float
  /// Windows since the start.
  var count: Int32
  /// The time of the last sample before, where it is known.
  var last: Double?
}

/// One rung of the ladder: a change detector over a statistic of windows of one length.
///
/// A two-sided CUSUM (Page 1954) of z = (statistic − usual) ÷ deviation. What is usual is the median of the
/// same statistic in the last windows, without the newest; its deviation is how far it usually was from that,
/// so slow courses and dependence are paid for by themselves. In the trial in Python this found × 2 in 20 of
/// 20 series with 5 false lines in 400 hours, where the program had 3 of 20 and 94.
///
/// Three things are learned besides, for random walks and leaks:
/// - The largest sums that a CUSUM reaches before it falls back to zero are exponential (Siegmund 1985).
///   Where they are larger than ordinary ones, so is the threshold (`CusumRun.inflation`).
/// - How much the level wanders (`WalkEstimate`) is part of the deviation, the more the longer a sum lasts.
/// - Distances are learned late on the rung of a minute, or a leak would be usual before it is found: of
///   leaks to × 2 in 20 minutes 24 of 100 were found without that, and 96 with it.
///
/// A change that is too small to be told becomes usual after some windows. Without that the usual stayed
/// frozen while a random walk went on, which was most of its false lines (115 of 1,000 hours).
struct ChangeRung: Sendable, Equatable {
  private static let clip: Float = 6
  private static let longestRun = 16
  /// Deviations that are taken off besides where all of the spread is wandering.
  private static let wanderSlack: Float = 2

  /// The newest windows that count as usual, from the oldest on.
  private(set) var windows = RunningMedian()
  private(set) var spread = SpreadEstimate()
  private(set) var usual: Float = 0
  private(set) var deviation: Float = 0
  /// Distances that are not learned before they are old: a leak would be usual before it is found.
  private var pending = RecentValues()
  private(set) var up = CusumRun()
  private(set) var down = CusumRun()

  /// True once it can alarm.
  func isReady(_ rule: RungRule) -> Bool { windows.count >= rule.warmUp }

  /// True while a change is suspected.
  func isSuspicious(_ rule: RungRule) -> Bool { max(up.sum, down.sum) > rule.threshold / 3 }

  /// Records a window.
  ///
  /// - Parameters:
  ///   - floor: the least deviation, such as the standard error of the window's median.
  ///   - split: when a change began if this was its first window.
  mutating func record(
    _ value: Float, floor: Float, split: Double, _ rule: RungRule, _ unit: Float = 1, wander: Float = 0,
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
    // Where the level wanders, neighbouring windows are no more evidence than one.
    let slack = rule.slack + Self.wanderSlack * min(1, wandered / max(deviation * deviation, 1e-12))
    up.add(z - slack, value, split, Self.longestRun)
    down.add(-z - slack, value, split, Self.longestRun)
    let least = rule.leastChange * unit
    if let alarm = alarm(up, 1, rule, scale, least)
      ?? (rule.findsFalls ? alarm(down, -1, rule, scale, least) : nil)
    {
      return alarm
    }
    forgiveSmall(up, rule, scale)
    forgiveSmall(down, rule, scale)
    // Frozen while a change is suspected, or a slow change would become usual before it is found.
    if max(up.sum, down.sum) <= scale * rule.threshold / 3 { learn(value, rule) }
    return nil
  }

  private func alarm(
    _ run: CusumRun, _ side: Float, _ rule: RungRule, _ scale: Float, _ least: Float
  ) -> RungAlarm? {
    guard run.windows.count >= 2, run.sum > scale * rule.threshold * max(1, run.inflation) else { return nil }
    let split = run.split(slack: rule.slack)
    let since = run.windows[split...]
    let level = median(of: since.map(\.value))
    guard abs(level - usual) >= least else { return nil }
    return RungAlarm(
      side: side, start: run.windows[split].split, usual: usual, level: level, deviation: deviation,
      count: Int32(since.count))
  }

  /// Takes a small change that lasts as usual: it is never told, and nothing is learned while it is
  /// suspected.
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

  /// Makes another level the usual one; what is known of its spread stays.
  ///
  /// - Parameter learns: Whether the sums until now count as usual ones, where changes are many and harmless.
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
