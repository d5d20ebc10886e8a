/// The usual behavior of a numeric series: the expected next value, its usual deviation, and the extremes so far.
struct LevelBaseline: Sendable, Equatable {
  /// Number of values that determine the expectation.
  static let recentCount = 16
  /// Number of values before there are limits.
  private static let warmUp = 48
  /// Minimum distance of an outlier, as a multiple of the median distance.
  private static let factor = 6.0
  /// Minimum distance beyond the extremes, as a share of their range.
  private static let margin = 0.25
  /// Values per round; a round contributes its second extremes, because a single outlier is not a usual value.
  private static let roundLength = 32
  /// Share of the distance to the extremes that remains after a round; half remains after 140.
  private static let memory = 0.995
  /// Factor by which the median distance follows each distance.
  private static let step = 1.03
  /// Number of values between two fits.
  private static let fitInterval = 4

  /// The newest usual values, oldest first.
  private var recent: [Double] = []
  /// Median distance between values and their expectation.
  private var spread = 0.0
  private var count = 0
  /// The next expected value, and the rise from one value to the next.
  private var expected = 0.0
  private var slope = 0.0
  private var sinceFit = 0
  private var round = Round()
  /// Extremes over the rounds.
  private var low = Double.infinity
  private var high = -Double.infinity

  private struct Round: Sendable, Equatable {
    var count = 0
    var low = Double.infinity
    var secondLow = Double.infinity
    var high = -Double.infinity
    var secondHigh = -Double.infinity

    mutating func add(_ value: Double) {
      count += 1
      (low, secondLow) = (min(low, value), min(secondLow, max(low, value)))
      (high, secondHigh) = (max(high, value), max(secondHigh, min(high, value)))
    }
  }

  /// Median of the newest values.
  var median: Double { Self.median(recent) }

  /// Values outside are far from usual; unbounded until enough values are known.
  var limits: ClosedRange<Double> {
    guard count >= Self.warmUp else { return -.infinity...(.infinity) }
    let distance = Self.factor * max(spread, 1e-9 * abs(expected))
    let beyond = Self.margin * (high - low)
    let lower = min(expected - distance, min(low, round.secondLow) - beyond)
    let upper = max(expected + distance, max(high, round.secondHigh) + beyond)
    return lower <= upper ? lower...upper : -.infinity...(.infinity)
  }

  /// Learns a usual value.
  ///
  /// - Parameter isSkipped: true if the value was already passed with `skip()` when it arrived.
  mutating func learn(_ value: Double, isSkipped: Bool = false) {
    count &+= 1
    if recent.count >= Self.recentCount {
      let distance = abs(value - expected)
      spread =
        spread == 0
        ? distance : max(spread * (distance > spread ? Self.step : 1 / Self.step), 1e-4 * distance)
      recent.removeFirst()
    }
    recent.append(value)
    if !isSkipped { skip() }
    sinceFit += 1
    if sinceFit >= Self.fitInterval || recent.count < Self.recentCount { fit() }
    round.add(value)
    if round.count >= Self.roundLength { endRound() }
  }

  /// Advances by one value that is not known to be usual.
  mutating func skip() { expected += slope }

  /// Makes other values the usual ones.
  mutating func adopt(_ values: [Double]) {
    recent = Array(values.suffix(Self.recentCount))
    fit()
    round = Round()
    if let least = recent.min(), let most = recent.max() { (low, high) = (min(low, least), max(high, most)) }
  }

  /// Fits a line through the medians of the older and the newer half.
  private mutating func fit() {
    sinceFit = 0
    guard recent.count >= Self.recentCount else {
      (expected, slope) = (median, 0)
      return
    }
    let half = Self.recentCount / 2
    let (older, newer) = (Self.median(recent[..<half]), Self.median(recent[half...]))
    slope = newer / Double(half) - older / Double(half)
    expected = newer + slope * (Double(half) + 1) / 2
    if spread == 0 { spread = Self.median(recent.map { abs($0 - newer) }) }
  }

  private mutating func endRound() {
    let middle = median
    high = max(round.secondHigh, middle + (max(high, middle) - middle) * Self.memory)
    low = min(round.secondLow, middle - (middle - min(low, middle)) * Self.memory)
    round = Round()
  }

  /// The middle value, or the mean of the two middle values; 0 if there are none.
  private static func median(_ values: some Collection<Double>) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? sorted[half - 1] / 2 + sorted[half] / 2 : sorted[half]
  }
}
