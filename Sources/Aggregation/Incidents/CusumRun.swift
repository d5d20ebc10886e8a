/// The sum of one side of a CUSUM since it left zero, with the windows since.
struct CusumRun: Sendable, Equatable {
  /// A window since the sum left zero: its statistic, its score, and when a change began if it was the first.
  struct Window: Sendable, Equatable {
    var value: Float
    var score: Float
    var split: Double
  }

  private(set) var sum: Float = 0
  private(set) var windows: [Window] = []
  /// Windows since the sum left zero, more than are kept.
  private(set) var length = 0
  /// An ordinary sum peaks at 1.1: a threshold of 10 is 9 times that.
  private var peaks = SumPeaks(ordinary: 1.1, memory: 40)

  /// The size of the peaks so far relative to ordinary ones.
  var inflation: Float { peaks.inflation }

  mutating func add(_ score: Float, _ value: Float, _ split: Double, _ longest: Int) {
    sum += score
    guard sum > 0 else { return close() }
    peaks.note(sum)
    length += 1
    if windows.count >= longest { windows.removeFirst() }
    windows.append(Window(value: value, score: score, split: split))
  }

  /// Counts the peak of the run as a usual one, and forgets the run.
  mutating func close() {
    peaks.close()
    reset()
  }

  /// Forgets the run, as after an alarm: it was no ordinary one.
  mutating func reset() {
    (sum, length) = (0, 0)
    peaks.reset()
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
