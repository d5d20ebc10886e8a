import Essentials

/// Detects a tail that moves while the level stays, by the share of samples far above the median of their window.
///
/// Far means beyond the previous 99th percentile. The count of each minute is compared on the scale on which a Poisson
/// count has constant spread, 2√(n + 3/8) (Anscombe 1948), with its own deviation where that is larger. With the 99th
/// percentile instead of the prototype's 97th, a tail of one in ten is a tenfold increase.
struct TailShare: Sendable, Equatable {
  private static let share: Float = 0.01
  /// Minimum distance above the median; a slope within a window is not a tail.
  private static let least: Float = 0.26
  /// Minimum number of samples in a window.
  private static let samples: Float = 15
  /// Log-likelihood ratio that ends a tail.
  ///
  /// Counts of a minute follow no slow course; with the ratio of levels, one tail in nine lasted for 16 minutes without
  /// a far sample.
  private static let evidence: Float = 3

  private var rung = ChangeRung()
  /// 99th percentile of the distances above the median of a window.
  private var limit: Float = 0
  private var known: Int32 = 0
  private var start = 0.0
  private var count: Float = 0
  private var beyond: Float = 0
  private var first = 0.0
  private var open: [OpenChange] = []
  private var sinceCount: Float = 0
  private var sinceBeyond: Float = 0

  var lasting: [Incident] { open.map(\.incident) }

  /// Records the samples of a window; distances are learned only while the level is usual (`isQuiet`) and no tail is open.
  mutating func record(
    _ window: SampleWindow, _ middle: Float, _ unit: Float, isQuiet: Bool, at time: Double,
    _ budget: DetectionBudget,
    _ onEnd: (Incident) -> Void
  ) {
    if count == 0 { start = window.start }
    for (value, offset) in zip(window.values, window.offsets) {
      let distance = value - middle
      count += 1
      if distance > max(limit, Self.least * unit) {
        if beyond == 0 { first = window.start + Double(offset) }
        beyond += 1
      }
      if isQuiet, open.isEmpty { learn(distance) }
    }
    guard count >= Self.samples, time - start >= Double(LevelRules.tail.seconds) - 5 else { return }
    defer { (count, beyond) = (0, 0) }
    guard known >= 300 else { return }
    let statistic = 2 * (beyond + 0.375).squareRoot() - 2 * (Self.share * count + 0.375).squareRoot()
    follow(statistic, until: time, onEnd)
    guard isQuiet || !open.isEmpty else { return }
    if let alarm = rung.record(
      statistic, floor: 0.9, split: StartTimes(beyond > 0 ? first : start), LevelRules.tail, 1, budget)
    {
      begin(alarm, at: time)
    }
  }

  private mutating func learn(_ distance: Float) {
    known = min(known &+ 1, 1 << 20)
    if known <= 100 { return limit = max(limit, distance) }
    let gain: Float = known < 600 ? 0.04 : 0.02
    limit *= distance > limit ? exp(0.99 * gain) : 1 - 0.01 * gain
    limit = max(limit, 1e-4)
  }

  private mutating func begin(_ alarm: RungAlarm, at time: Double) {
    guard open.isEmpty else { return }
    (sinceCount, sinceBeyond) = (count, beyond)
    let share = Self.share
    var incident = Incident(
      kind: .tail, start: alarm.start, peak: Double(beyond / count), usual: Double(share))
    (incident.found, incident.score) = (time, Double((alarm.level - alarm.usual) / alarm.deviation))
    open = [OpenChange(incident, alarm, at: time)]
    rung.rebase(to: alarm.level)
  }

  private mutating func follow(_ statistic: Float, until time: Double, _ onEnd: (Incident) -> Void) {
    guard var now = open.first else { return }
    (sinceCount, sinceBeyond) = (sinceCount + count, sinceBeyond + beyond)
    let end = now.follow(statistic, until: time, returned: start, needed: Self.evidence)
    now.incident.peak = Double(sinceBeyond / max(1, sinceCount))
    now.incident.median = now.incident.peak
    if let end { now.incident.end = end }
    open = end == nil ? [now] : []
    guard let end else { return }
    onEnd(now.incident)
    if case .returned = end { rung.rebase(to: now.usual) }
  }

  /// Starts over, as after a change of scale.
  mutating func forget(_ onEnd: (Incident) -> Void) {
    for change in open { onEnd(change.ended(.adopted(max(change.incident.start, start)))) }
    self = TailShare()
  }
}
