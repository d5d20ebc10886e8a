import Essentials

/// Detects missing samples, and changes in their rate.
///
/// Silence: the gap between two samples, judged by the tail of the previous gaps (`TailModel`). Random arrivals have
/// long gaps and cause no alarm; regular arrivals have none, so a silence is noticed soon. Rate: sample counts of
/// windows as 2√(n + 3/8) (Anscombe 1948), with their own dispersion, so that bursts do not count as a rise.
struct ArrivalDetector: Sendable, Equatable {
  /// Minimum length of a silence, in seconds and in usual gaps.
  private static let shortest = 5.0
  private static let least = 5.0
  /// Known gaps needed before silences are reported and rates are watched.
  private static let warmUp: Int32 = 60
  /// Seconds before silences are reported.
  private static let warmUpTime = 90.0
  /// Long gaps that have to fit into the time seen before silences are reported; the first bursts are few.
  private static let longGaps = 40.0
  /// Silences get three parts of the budget: an exponential tail meets its nominal false alarm rate.
  private static let share: Float = 3
  /// Factor by which the median follows the gaps.
  private static let step = 1.03

  private var first = -Double.infinity
  private var last = -Double.infinity
  /// The median gap, in seconds.
  private(set) var median = 0.0
  private var count: Int32 = 0
  private var gaps = TailModel()
  private var rate = RateDetector()
  /// The mean gap.
  private(set) var mean = 0.0

  /// Ongoing rate incidents.
  var lastingRate: [Incident] { rate.lasting }

  /// Records the arrival of a sample.
  @inline(__always)
  mutating func record(at time: Double, _ budget: DetectionBudget, onEnd: (Incident) -> Void) {
    let gap = time - last
    guard gap >= 0 else { return }
    if gap == .infinity { first = time }
    if gap < .infinity { note(gap, until: time, budget, onEnd) }
    last = time
  }

  @inline(__always)
  private mutating func note(
    _ gap: Double, until time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void
  ) {
    count = min(count &+ 1, 1 << 20)
    if gap > Self.shortest, gap > Self.least * median, let limit = limit(budget), gap > limit {
      tellSilence(gap, limit, until: time, onEnd)
      gaps.add(Float(min(limit, 1e9)), cap: 1e9)
      return rate.restart(at: time)
    }
    // Once the median is known, every fourth gap is enough.
    if count < 200 || count % 4 == 0 {
      median = median == 0 ? gap : median * (gap > median ? Self.step : 1 / Self.step)
    }
    mean += (gap - mean) * (count < 500 ? 1 / Double(count) : 1 / 500)
    gaps.add(Float(min(gap, 1e9)), cap: 1e9)
    rate.record(gap, at: time, mean: mean, long: Double(gaps.threshold), budget, onEnd)
  }

  /// Length in seconds above which a gap is a silence; `nil` while unknown.
  func limit(_ budget: DetectionBudget) -> Double? {
    let known = max(Self.warmUpTime, Self.longGaps * Double(gaps.threshold))
    guard count >= Self.warmUp, mean > 0, last - first >= known else { return nil }
    let chance = Self.share * budget.chance(trialsPerHour: Float(min(1e9, 3600 / mean)))
    return max(Self.shortest, Self.least * median, Double(gaps.limit(chance: chance)))
  }

  private func tellSilence(_ gap: Double, _ limit: Double, until time: Double, _ onEnd: (Incident) -> Void) {
    var incident = silence(of: gap, limit)
    incident.end = .returned(time)
    onEnd(incident)
  }

  /// The silence ongoing at a given time.
  func lastingSilence(at time: Double, _ budget: DetectionBudget) -> Incident? {
    limit(budget).flatMap { time - last > $0 ? silence(of: time - last, $0) : nil }
  }

  private func silence(of gap: Double, _ limit: Double) -> Incident {
    var incident = Incident(kind: .silent, start: last + median, peak: gap, usual: median)
    (incident.found, incident.score) = (last + limit, 6 * gap / limit)
    return incident
  }
}

/// Detects changes in the rate of samples from the counts of windows of equal length.
struct RateDetector: Sendable, Equatable {
  private static let lengths: [Double] = [10, 60, 600, 3600]
  /// Samples that a window should hold on average.
  private static let samples = 8.0
  private static let warmUp: Int32 = 60
  private static let warmUpTime = 60.0
  /// Maximum number of consecutive empty windows counted.
  private static let emptyLimit = 30

  private var rung = ChangeRung()
  private var seconds = 0.0
  private var known: Int32 = 0
  private var passed = 0.0
  private var start = 0.0
  private var count: Float = 0
  private var open: [OpenChange] = []
  /// Log-likelihood ratios of 2.5 times and 0.4 times the usual rate, and when each was last zero.
  private var more: Float = 0
  private var fewer: Float = 0
  private var moreStart = 0.0
  private var fewerStart = 0.0
  /// Least deviation of the statistic: near 1 for random arrivals, less for regular ones.
  private var floor: Float = 1
  /// Samples per second in usual windows.
  private var usualRate: Float = 0

  var lasting: [Incident] { open.map(\.incident) }

  @inline(__always)
  mutating func record(
    _ gap: Double, at time: Double, mean: Double, long: Double, _ budget: DetectionBudget,
    _ onEnd: (Incident) -> Void
  ) {
    guard seconds > 0 else { return choose(gap, mean, long, at: time) }
    if time - start >= seconds { close(at: time, budget, onEnd) }
    count += 1
    let events = Float(min(gap, 1e6)) * usualRate
    more += 0.916 - 1.5 * events
    if more <= 0 { (more, moreStart) = (0, time) }
    fewer += 0.6 * events - 0.916
    if fewer <= 0 { (fewer, fewerStart) = (0, time) }
  }

  private mutating func choose(_ gap: Double, _ mean: Double, _ long: Double, at time: Double) {
    known = min(known &+ 1, 1 << 20)
    passed += gap
    guard known >= Self.warmUp, passed >= Self.warmUpTime, mean > 0 else { return }
    // Where samples come in bursts, a window spans several of them.
    seconds = Self.lengths.first { $0 >= max(Self.samples * mean, 2 * long) } ?? 3600
    // The 95th percentile of random gaps is three times their mean.
    floor = Float(max(0.6, min(0.9, 0.3 * long / mean)))
    start = time
  }

  /// Starts a new window after a silence.
  mutating func restart(at time: Double) { (start, count, more, fewer) = (time, 0, 0, 0) }

  private mutating func close(at time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void) {
    let passed = ((time - start) / seconds).rounded(.down)
    let empty = Int(min(passed - 1, Double(Self.emptyLimit)))
    give(count, until: start + seconds, budget, onEnd)
    for place in 0..<max(0, empty) { give(0, until: start + seconds * Double(place + 2), budget, onEnd) }
    start += passed * seconds
    if time - start >= seconds || time < start { start = time }
    count = 0
  }

  private mutating func give(
    _ count: Float, until time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void
  ) {
    let statistic = 2 * (count + 0.375).squareRoot()
    follow(statistic, until: time, onEnd)
    var rule = LevelRules.rate
    // Overdispersed counts come from bursts, and are skewed as well.
    rule.slack += 0.75 * max(0, min(1, rung.deviation - 1.2))
    if let alarm = rung.record(statistic, floor: floor, split: StartTimes(time - seconds), rule, 1, budget) {
      begin(alarm, at: time, onEnd)
    }
    usualRate = Float(rate(rung.usual))
  }

  /// Samples per second that a statistic stands for.
  private func rate(_ statistic: Float) -> Double {
    max(0, Double(statistic * statistic / 4 - 0.375)) / max(1, seconds)
  }

  private mutating func begin(_ alarm: RungAlarm, at time: Double, _ onEnd: (Incident) -> Void) {
    if let old = open.first {
      var incident = old.incident
      let isOver = old.isNearUsual(alarm.level)
      incident.end = isOver ? .returned(max(incident.start, alarm.start)) : .adopted(time)
      open = []
      onEnd(incident)
      if isOver { return rung.rebase(to: old.usual, learns: true) }
    }
    let exact = alarm.side > 0 ? moreStart : fewerStart
    let isNear = abs(exact - alarm.start) <= 1.5 * seconds
    var incident = Incident(
      kind: .rate, start: isNear ? exact : alarm.start, peak: rate(alarm.level), usual: rate(alarm.usual))
    (incident.found, incident.score) = (time, Double(abs(alarm.level - alarm.usual) / alarm.deviation))
    open = [OpenChange(incident, alarm, at: time)]
    rung.rebase(to: alarm.level, learns: true)
  }

  private mutating func follow(_ statistic: Float, until time: Double, _ onEnd: (Incident) -> Void) {
    guard var now = open.first else { return }
    let end = now.follow(statistic, until: time, returned: time - seconds)
    now.incident.median = rate(now.level)
    now.incident.margin = rate(now.level + 1.2 * now.margin(course: 0)) / max(1e-9, now.incident.median)
    if now.incident.isRise == (now.incident.median > now.incident.peak) {
      now.incident.peak = now.incident.median
    }
    if let end { now.incident.end = end }
    open = end == nil ? [now] : []
    guard let end else { return }
    onEnd(now.incident)
    if case .returned = end { rung.rebase(to: now.usual) }
  }
}
