/// The sum of one side of a CUSUM since it left zero, with the windows since.
struct CusumRun: Sendable, Equatable {
  /// The peak of an ordinary sum: a threshold of 10 is 9 times that.
  private static let ordinaryPeak: Float = 1.1
  private static let memory: Float = 40

  /// A window since the sum left zero: its statistic, its score, and when a change began if it was the first.
  struct Window: Sendable, Equatable {
    var value: Float
    var score: Float
    var split: Double
  }

  private(set) var sum: Float = 0
  private(set) var windows: [Window] = []
  private var peak: Float = 0
  /// Windows since the sum left zero, more than are kept.
  private(set) var length = 0
  /// Moments of the peaks so far; as if some ordinary ones had been seen.
  private var count: Float = 3
  private var mean: Float = ordinaryPeak
  private var square: Float = 2 * ordinaryPeak * ordinaryPeak

  /// How many times as large as ordinary ones the peaks are: of an exponential distribution half the second
  /// moment over the first is the mean, and of a mixture the mean of the larger ones.
  var inflation: Float { square / (2 * max(mean, 0.1)) / Self.ordinaryPeak }

  mutating func add(_ score: Float, _ value: Float, _ split: Double, _ longest: Int) {
    sum += score
    guard sum > 0 else { return close() }
    peak = max(peak, sum)
    length += 1
    if windows.count >= longest { windows.removeFirst() }
    windows.append(Window(value: value, score: score, split: split))
  }

  /// Counts the peak of the run as a usual one, and forgets the run.
  mutating func close() {
    if peak > 0 {
      count = min(count + 1, Self.memory)
      mean += (peak - mean) / count
      square += (peak * peak - square) / count
    }
    reset()
  }

  /// Forgets the run, as after an alarm: it was no ordinary one.
  mutating func reset() {
    (sum, peak, length) = (0, 0, 0)
    if !windows.isEmpty { windows.removeAll(keepingCapacity: windows.count <= 2) }
  }

  /// The window from which on the change is most likely: the split that maximizes n z̄² ÷ 2.
  func split(slack: Float) -> Int {
    var (sum, best, place) = (Float(0), -Float.infinity, 0)
    for index in windows.indices.reversed() {
      sum += windows[index].score + slack
      let likelihood = sum > 0 ? sum * sum / Float(windows.count - index) : -.infinity
      if likelihood >= best { (best, place) = (likelihood, index) }
    }
    return place
  }
}
