/// Finds the stretches in which the numbers of a series are far from where they were a moment ago, and from where they
/// have ever been.
///
/// Both have to hold: a slow season is never far from where it was a moment ago, and noise with rare large values has
/// been there before. Three of four values make an incident; a single outlier does not. The samples of one second count
/// as one value, so that a series with a thousand samples a second has no more chances to look unusual.
///
/// A value type whose state depends on the samples alone, in their order: a file that is read at once and one that is
/// followed give the same incidents.
struct LevelDetector: Sendable, Equatable {
  /// Consecutive values that may start an incident, and how many of them have to be far.
  private static let alertWindow = 4
  private static let alertCount = 3
  /// Consecutive usual values that end an incident.
  private static let calmCount = 4
  /// Unusual values that become the usual ones: what differs from them is another incident.
  private static let adoption = 120
  /// Seconds after which an incident whose values did not return is over: they are the new state of things.
  static let patience = 1800.0

  /// A value that may be the first of an incident: 1 above, -1 below, 0 within the limits.
  private struct Suspect: Sendable, Equatable {
    var second: SampleSecond
    var side: Int
  }

  /// The incident that lasts.
  private struct Current: Sendable, Equatable {
    var incident: Incident
    var limit: Double
    /// How many values were unusual, and the newest of them.
    var count = 0
    var newest: [Double] = []
    /// The last unusual sample.
    var lastTime = 0.0
    /// The usual values since.
    var calm: [SampleSecond] = []

    func isFar(_ value: Double) -> Bool { incident.kind == .above ? value > limit : value < limit }
  }

  private var second = SampleSecond()
  private var suspects: [Suspect] = []
  private var current: Current?
  /// An incident whose values count as usual already, but which lasts as long as they have not returned.
  private var settled: Current?
  private var baseline = LevelBaseline()
  private var limits = -Double.infinity...Double.infinity

  /// The incidents that last.
  var lasting: [Incident] { [settled?.incident, current?.incident].compactMap(\.self) }

  /// Records a sample.
  ///
  /// - Parameter onEnd: Takes an incident that ends with it.
  @inline(__always)
  mutating func record(_ value: Double, at time: Double, onEnd: (Incident) -> Void) {
    guard value.isFinite else { return }
    if !second.holds(time) { finishSecond(onEnd) }
    second.add(value, at: time, isFar: !limits.contains(value))
  }

  /// Ends the second under way, as if a later sample had come.
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

  /// Looks whether the values of the settled incident return, or stay for good.
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

  /// Ends the settled incident: its values are the new state of things.
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
  /// The first sample outside of the limits.
  private(set) var firstFar: Double?

  /// Never outside the extremes, in spite of rounding in the sum.
  var mean: Double { count == 0 ? 0 : max(low.value, min(high.value, sum / Double(count))) }

  /// True if a sample of this time belongs to it.
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
