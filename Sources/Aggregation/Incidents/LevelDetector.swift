/// Finds periods in which the numbers of a series are far from where they just were and from where they have ever been.
///
/// Both conditions must hold: a slow seasonal change is never far from where it just was, and noise with rare large
/// values has been there before. Three out of four values make an incident; a single outlier does not. All samples of
/// one second count as one value, so that a series with a thousand samples a second is no more likely to look unusual.
///
/// A value type whose state depends only on the samples and their order: a file yields the same incidents whether it is
/// read at once or followed.
struct LevelDetector: Sendable, Equatable {
  /// Number of consecutive values that may start an incident, and how many of them must be far.
  private static let alertWindow = 4
  private static let alertCount = 3
  /// Number of consecutive usual values that end an incident.
  private static let calmCount = 4
  /// Number of unusual values that become the usual ones; whatever differs from them is another incident.
  private static let adoption = 120
  /// Seconds after which an incident whose values did not return is over: they are the new normal.
  static let patience = 1800.0

  /// A value that may be the first of an incident: 1 above, -1 below, 0 within the limits.
  private struct Suspect: Sendable, Equatable {
    var second: SampleSecond
    var side: Int
  }

  /// The ongoing incident.
  private struct Current: Sendable, Equatable {
    var incident: Incident
    var limit: Double
    /// Number of unusual values, and the newest of them.
    var count = 0
    var newest: [Double] = []
    /// Time of the last unusual sample.
    var lastTime = 0.0
    /// The usual values since then.
    var calm: [SampleSecond] = []

    func isFar(_ value: Double) -> Bool { incident.kind == .above ? value > limit : value < limit }
  }

  private var second = SampleSecond()
  private var suspects: [Suspect] = []
  private var current: Current?
  /// An incident whose values already count as usual, but which continues until they return.
  private var settled: Current?
  private var baseline = LevelBaseline()
  private var limits = -Double.infinity...Double.infinity

  /// The ongoing incidents.
  var lasting: [Incident] { [settled?.incident, current?.incident].compactMap(\.self) }

  /// Records a sample.
  ///
  /// - Parameter onEnd: called with an incident that ends with this sample.
  @inline(__always)
  mutating func record(_ value: Double, at time: Double, onEnd: (Incident) -> Void) {
    guard value.isFinite else { return }
    if !second.holds(time) { finishSecond(onEnd) }
    second.add(value, at: time, isFar: !limits.contains(value))
  }

  /// Ends the current second, as if a later sample had arrived.
  mutating func finishSecond(_ onEnd: (Incident) -> Void) {
    guard second.count > 0 else { return }
    let done = second
    second = SampleSecond()
    waitForReturn(done, onEnd)
    if current == nil { watch(done) } else { follow(done, onEnd) }
    if current == nil { limits = baseline.limits }
  }

  // MARK: - Without an incident

  private mutating func watch(_ done: SampleSecond) {
    let mean = done.mean
    let side = mean > limits.upperBound ? 1 : mean < limits.lowerBound ? -1 : 0
    guard side != 0 || !suspects.isEmpty else { return baseline.learn(mean) }
    suspects.append(Suspect(second: done, side: side))
    baseline.skip()
    for side in [1, -1] {
      let far = suspects.filter { $0.side == side }
      if far.count >= Self.alertCount { return begin(far.map(\.second), isAbove: side > 0) }
    }
    while let first = suspects.first, first.side == 0 || suspects.count >= Self.alertWindow {
      suspects.removeFirst()
      baseline.learn(first.second.mean, isSkipped: true)
    }
  }

  private mutating func begin(_ far: [SampleSecond], isAbove: Bool) {
    guard let first = far.first else { return }
    let usual = baseline.median
    var begun = Current(
      incident: Incident(
        kind: isAbove ? .above : .below, start: first.firstFar ?? first.start, peak: usual, usual: usual),
      limit: isAbove ? limits.upperBound : limits.lowerBound)
    begun.incident.bound = begun.limit
    for second in far { Self.extend(&begun, by: second) }
    suspects = []
    current = begun
  }

  // MARK: - During an incident

  private static func extend(_ current: inout Current, by second: SampleSecond) {
    let isAbove = current.incident.kind == .above
    let extreme = isAbove ? second.high : second.low
    if isAbove ? extreme.value > current.incident.peak : extreme.value < current.incident.peak {
      (current.incident.peak, current.incident.peakTime) = (extreme.value, extreme.time)
    }
    current.count += 1 + current.calm.count
    current.calm = []
    current.lastTime = second.lastTime
    current.newest = current.newest.suffix(LevelBaseline.recentCount - 1) + [second.mean]
  }

  private mutating func follow(_ done: SampleSecond, _ onEnd: (Incident) -> Void) {
    guard var now = current else { return }
    if now.isFar(done.mean) { Self.extend(&now, by: done) } else { now.calm.append(done) }
    current = now
    if now.calm.count >= Self.calmCount {
      now.incident.end = .returned(now.lastTime)
      current = nil
      for calm in now.calm { baseline.learn(calm.mean, isSkipped: true) }
      onEnd(now.incident)
    } else if now.count >= Self.adoption {
      current = nil
      baseline.adopt(now.newest)
      giveUp(onEnd)
      now.calm = []
      settled = now
    }
  }

  /// Checks whether the values of the settled incident have returned or are there to stay.
  private mutating func waitForReturn(_ done: SampleSecond, _ onEnd: (Incident) -> Void) {
    guard var waiting = settled else { return }
    if waiting.isFar(done.mean) { Self.extend(&waiting, by: done) } else { waiting.calm.append(done) }
    settled = waiting
    if waiting.calm.count >= Self.calmCount {
      settled = nil
      waiting.incident.end = .returned(waiting.lastTime)
      onEnd(waiting.incident)
    } else if done.start - waiting.incident.start >= Self.patience {
      giveUp(onEnd)
    }
  }

  /// Ends the settled incident: its values are the new normal.
  private mutating func giveUp(_ onEnd: (Incident) -> Void) {
    guard var waiting = settled else { return }
    settled = nil
    waiting.incident.end = .adopted(waiting.lastTime)
    onEnd(waiting.incident)
  }
}

/// The samples of one second, which count as one value.
struct SampleSecond: Sendable, Equatable {
  struct Extreme: Sendable, Equatable {
    var value: Double
    var time: Double
  }

  private(set) var start = 0.0
  private(set) var lastTime = 0.0
  private(set) var count = 0
  private var sum = 0.0
  private(set) var low = Extreme(value: .infinity, time: 0)
  private(set) var high = Extreme(value: -.infinity, time: 0)
  /// Time of the first sample outside the limits.
  private(set) var firstFar: Double?

  /// Clamped to the extremes, since the sum is subject to rounding.
  var mean: Double { count == 0 ? 0 : max(low.value, min(high.value, sum / Double(count))) }

  /// True if a sample at this time belongs to this second.
  @inline(__always)
  func holds(_ time: Double) -> Bool { count == 0 || time < start + 1 && time >= start }

  @inline(__always)
  mutating func add(_ value: Double, at time: Double, isFar: Bool) {
    if count == 0 { start = time }
    count &+= 1
    sum += value
    lastTime = time
    if value < low.value { low = Extreme(value: value, time: time) }
    if value > high.value { high = Extreme(value: value, time: time) }
    if isFar, firstFar == nil { firstFar = time }
  }
}
