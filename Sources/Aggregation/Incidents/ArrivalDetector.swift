import Essentials

/// Finds when samples do not come, and when more or fewer come than before.
///
/// Silence: the gap between two samples under the tail of the gaps before (`TailModel`), so arrivals at
/// random have long gaps and no alarm, a clock has none and is missed soon. Rate: counts of windows, 2√(n +
/// 3/8) (Anscombe 1948), with their own dispersion, so bursts are no rise.
struct ArrivalDetector: Sendable, Equatable {
  /// The shortest silence, in seconds and in usual gaps.
  private static let shortest = 5.0
  private static let least = 5.0
  /// Gaps that are known before there are silences, and before rates are watched.
  private static let warmUp: Int32 = 60
  /// Seconds before there are silences: the first bursts are few.
  private static let warmUpTime = 90.0
  /// Silences have three parts of the budget: an exponential tail keeps what it promises.
  private static let share: Float = 3
  /// The step by which the median follows the gaps.
  private static let step = 1.03

  private var first = -Double.infinity
  private var last = -Double.infinity
  /// The median gap, in seconds.
  private(set) var median = 0.0
  private var count: Int32 = 0
  private var gaps = TailModel()
  private var rate = RateDetector()
  /// The mean gap.
  private var mean = 0.0

  /// The rate that lasts.
  var lastingRate: [Incident] { rate.lasting }

  /// Records that a sample came.
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
    // Every fourth gap is enough for a median that is known.
    if count < 200 || count % 4 == 0 {
      median = median == 0 ? gap : median * (gap > median ? Self.step : 1 / Self.step)
    }
    mean += (gap - mean) * (count < 500 ? 1 / Double(count) : 1 / 500)
    gaps.add(Float(min(gap, 1e9)), cap: 1e9)
    rate.record(gap, at: time, mean: mean, long: Double(gaps.threshold), budget, onEnd)
  }

  /// Gaps that are longer are silences, in seconds; `nil` while it is not known.
  func limit(_ budget: DetectionBudget) -> Double? {
    guard count >= Self.warmUp, mean > 0, last - first >= Self.warmUpTime else { return nil }
    let chance = Self.share * budget.chance(trialsPerHour: Float(min(1e9, 3600 / mean)))
    return max(Self.shortest, Self.least * median, Double(gaps.limit(chance: chance)))
  }

  private func tellSilence(_ gap: Double, _ limit: Double, until time: Double, _ onEnd: (Incident) -> Void) {
    var incident = silence(of: gap, limit)
    incident.end = .returned(time)
    onEnd(incident)
  }

  /// The silence that lasts at a time.
  func lastingSilence(at time: Double, _ budget: DetectionBudget) -> Incident? {
    limit(budget).flatMap { time - last > $0 ? silence(of: time - last, $0) : nil }
  }

  private func silence(of gap: Double, _ limit: Double) -> Incident {
    var incident = Incident(kind: .silent, start: last + median, peak: gap, usual: median)
    (incident.bound, incident.found, incident.score) = (limit, last + limit, 6 * gap / limit)
    return incident
  }
}

/// Finds when more or fewer samples come than before: counts of windows of one length.
struct RateDetector: Sendable, Equatable {
  private static let lengths: [Double] = [10, 60, 600, 3600]
  /// Samples that a window should have.
  private static let samples = 8.0
  private static let warmUp: Int32 = 60
  private static let warmUpTime = 60.0
  /// Empty windows that count at most.
  private static let emptyLimit = 30

  private var rung = ChangeRung()
  private var seconds = 0.0
  private var known: Int32 = 0
  private var passed = 0.0
  private var start = 0.0
  private var count: Float = 0
  private var open: [OpenChange] = []
  /// Likelihood ratios of twice and of half the rate, and when they were last zero.
  private var more: Float = 0
  private var fewer: Float = 0
  private var moreStart = 0.0
  private var fewerStart = 0.0
  /// Samples a second, by the usual windows.
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
    // Several bursts, where samples come in bursts.
    seconds = Self.lengths.first { $0 >= max(Self.samples * mean, 2 * long) } ?? 3600
    start = time
  }

  /// Begins a new window after a silence.
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
    // More dispersed than at random: bursts, whose counts are skewed, too.
    rule.slack += 0.75 * max(0, min(1, rung.deviation - 1.2))
    if let alarm = rung.record(statistic, floor: 0.6, split: time - seconds, rule, 1, budget) {
      begin(alarm, at: time, onEnd)
    }
    usualRate = Float(rate(rung.usual))
  }

  /// Samples a second of a statistic.
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
    incident.bound = rate(alarm.usual + 3 * alarm.side * alarm.deviation)
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
