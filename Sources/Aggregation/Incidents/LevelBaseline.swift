/// The usual course of a series of numbers: where the next value is expected, how far off it usually is, and between
/// which extremes the values have been.
struct LevelBaseline: Sendable, Equatable {
  /// Values that the expectation is made of.
  static let recentCount = 16
  /// Values before there are limits.
  private static let warmUp = 48
  /// Minimum distance of an outlier, as a multiple of the median distance.
  private static let factor = 6.0
  /// How far beyond the extremes a value has to be, as a share of their range.
  private static let margin = 0.25
  /// Values of one round, of which the second extremes count: one outlier is no usual value.
  private static let roundLength = 32
  /// The share of the distance to the extremes that is left after a round; half is left after 140.
  private static let memory = 0.995
  /// The step by which the median distance follows the distances.
  private static let step = 1.03
  /// Values between two fits.
  private static let fitInterval = 4

  /// The newest usual values, from the oldest on.
  private var recent: [Double] = []
  /// The median distance of a value from what was expected.
  private var spread = 0.0
  private var count = 0
  /// The value expected next, and by how much the values rise from one to the next.
  private var expected = 0.0
  private var slope = 0.0
  private var sinceFit = 0
  private var round = Round()
  /// The extremes of the rounds.
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

  /// The median of the newest values.
  var median: Double { Self.median(recent) }

  /// Values outside are far; everything is inside until enough is known.
  var limits: ClosedRange<Double> {
    guard count >= Self.warmUp else { return -.infinity...(.infinity) }
    let distance = Self.factor * max(spread, 1e-9 * abs(expected))
    let beyond = Self.margin * (high - low)
    let lower = min(expected - distance, min(low, round.secondLow) - beyond)
    let upper = max(expected + distance, max(high, round.secondHigh) + beyond)
    return lower <= upper ? lower...upper : -.infinity...(.infinity)
  }

  /// Takes in a usual value.
  ///
  /// - Parameter isSkipped: Whether its place was skipped when it came.
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

  /// Moves on by one value that is not known to be usual.
  mutating func skip() { expected += slope }

  /// Makes other values the usual ones.
  mutating func adopt(_ values: [Double]) {
    recent = Array(values.suffix(Self.recentCount))
    fit()
    round = Round()
    if let least = recent.min(), let most = recent.max() { (low, high) = (min(low, least), max(high, most)) }
  }

  /// A line through the medians of the older and of the newer half.
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

  /// The middle one of some values, or the mean of the two in the middle; 0 without any.
  private static func median(_ values: some Collection<Double>) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? sorted[half - 1] / 2 + sorted[half] / 2 : sorted[half]
  }
}
