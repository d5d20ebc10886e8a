import Essentials

/// Detects incidents in the numbers of a series: level changes that last or return, slow drifts, falls to zero, single
/// outliers, and tails that move while the level stays.
///
/// Combines one change detector over medians of windows of four lengths (`ChangeRung`) with one tail model for single
/// samples (`TailModel`). Five consecutive samples beyond the tail count as a new level immediately.
///
/// A value type with constant memory use. Its state depends only on the samples and their order.
struct LevelDetector: Sendable, Equatable {
  /// A sample far from usual, with its original value.
  struct Extreme: Sendable, Equatable {
    var value = 0.0
    var time = -Double.infinity
  }

  var scale = ValueScale()
  var window = SampleWindow()
  var previous = SampleWindow()
  var rungs: [ChangeRung] = [ChangeRung()]
  var means: [WindowMean] = [WindowMean()]
  var walk = WalkEstimate()
  var range = LevelRange()
  var tailUp = TailModel()
  var tailDown = TailModel()
  var far = FarRun()
  var tailShare = TailShare()
  /// Standard deviation of single samples within a window.
  var noise: Float = 0
  private var closed: Int32 = 0
  /// Distances from usual beyond which a sample is an outlier.
  var limitUp = Float.infinity
  var limitDown = Float.infinity
  /// Ongoing changes, at most two; the level of the first is the usual level of the second.
  var changes: [OpenChange] = []
  /// Extremes since a change was suspected; otherwise those of the last closed window.
  var high = Extreme(value: -.infinity)
  var low = Extreme(value: .infinity)
  private var nextHigh = Extreme(value: -.infinity)
  private var nextLow = Extreme(value: .infinity)
  private var others: Int32 = 0
  /// Time of the previous sample.
  var lastTime = 0.0

  /// Usual level on the scale, once known.
  var usual: Float = 0
  var isKnown = false

  /// Reference size of a change: 1 on a logarithmic scale, else the usual level, but at least six times the noise.
  var unit: Float { scale.isLogarithmic ? 1 : max(6 * noise, abs(Float(scale.value(rungs[0].usual)))) }

  /// Ongoing incidents.
  var lasting: [Incident] { changes.map(\.incident) + tailShare.lasting }

  /// Records a sample.
  ///
  /// - Parameter onEnd: called with each incident that ends with the sample.
  @inline(__always)
  mutating func record(
    _ value: Double, at time: Double, _ budget: DetectionBudget, onEnd: (Incident) -> Void
  ) {
    guard value.isFinite else { return }
    let elapsed = time - window.start
    if elapsed >= Double(LevelRules.ladder[0].seconds) || elapsed < -10 { close(at: time, budget, onEnd) }
    if value <= 0 { others = others &+ 1 }
    let scaled = scale.scaled(value)
    lastTime = window.lastTime
    window.add(scaled, at: time)
    if value > nextHigh.value { nextHigh = Extreme(value: value, time: time) }
    if value < nextLow.value { nextLow = Extreme(value: value, time: time) }
    if isKnown { judge(scaled, value, at: time, budget, onEnd) }
  }

  /// Compares a sample with the tail and learns its distance.
  @inline(__always)
  private mutating func judge(
    _ scaled: Float, _ value: Double, at time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void
  ) {
    let distance = scaled - usual
    // Zeros count as the farthest fall and are learned uncapped: one is enough to expect more.
    let fall = min(-distance, TailModel.farthest)
    // After a far sample, half its distance is still not usual.
    if distance > limitUp || fall > limitDown || far.count > 0 && distance * far.side > far.distance / 2 {
      meetFar(distance, scaled, value, at: time, budget, onEnd)
    } else if far.count > 0 {
      meetCalm(onEnd)
    }
    tailUp.add(max(0, distance), cap: max(1e-6, limitUp))
    tailDown.add(max(0, fall), cap: fall < TailModel.farthest ? max(1e-6, limitDown) : fall)
  }

  /// Closes the current window.
  private mutating func close(at time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void) {
    guard window.count >= LevelRules.samples else {
      if time < window.start { window.reset() }
      return
    }
    defer {
      swap(&previous, &window)
      window.reset()
      (nextHigh, nextLow) = (Extreme(value: -.infinity), Extreme(value: .infinity))
    }
    let lows = others
    others = 0
    if changes.isEmpty, scale.changes(positive: window.count - lows, others: lows, last: nextLow.value) {
      return forget(onEnd)
    }
    let (middle, deviation) = window.summary
    closed = min(closed &+ 1, 60)
    noise += (deviation - noise) / Float(closed)
    keepExtremes(budget)
    follow(middle, onEnd)
    watch(middle, until: time, budget, onEnd)
    tailShare.record(
      window, middle, unit, isQuiet: !rungs[0].isSuspicious(LevelRules.ladder[0], budget), at: time, budget,
      onEnd)
    setLimits(budget)
    (usual, isKnown) = (rungs[0].usual, rungs[0].windows.count > 5)
  }

  mutating func keepExtremes(_ budget: DetectionBudget) {
    if changes.isEmpty, !rungs[0].isSuspicious(LevelRules.ladder[0], budget) {
      (high, low) = (nextHigh, nextLow)
    } else {
      if nextHigh.value > high.value { high = nextHigh }
      if nextLow.value < low.value { low = nextLow }
    }
  }

  private mutating func setLimits(_ budget: DetectionBudget) {
    let seconds = Float(max(1, min(1e6, window.lastTime - window.start)))
    let chance = budget.chance(trialsPerHour: 3600 * Float(window.count) / seconds)
    guard closed >= LevelRules.outlierWarmUp else { return }
    let least = LevelRules.outlier * unit
    limitUp = max(least, tailUp.limit(chance: chance))
    limitDown = max(least, tailDown.limit(chance: chance))
  }

  /// Starts over on the other scale.
  private mutating func forget(_ onEnd: (Incident) -> Void) {
    (rungs, means, tailUp, tailDown) = ([ChangeRung()], [WindowMean()], TailModel(), TailModel())
    (walk, range) = (WalkEstimate(), LevelRange())
    (limitUp, limitDown, far, noise, closed) = (.infinity, .infinity, FarRun(), 0, 0)
    isKnown = false
    tailShare.forget(onEnd)
  }
}
