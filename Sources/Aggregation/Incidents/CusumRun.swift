/// The sum of one side of a CUSUM since it left zero, with its windows.
struct CusumRun: Sendable, Equatable {
  /// A window since the sum left zero: its statistic, its score, and the start of the change if it is the first window.
  struct Window: Sendable, Equatable {
    var value: Float
    var score: Float
    var split: StartTimes
  }

  private(set) var sum: Float = 0
  private(set) var windows: [Window] = []
  /// Windows since the sum left zero, including those no longer kept.
  private(set) var length = 0
  /// An ordinary sum peaks at 1.1; a threshold of 10 is 9 times as high.
  private var peaks = SumPeaks(ordinary: 1.1, memory: 40)

  /// The size of the peaks so far relative to ordinary ones.
  var inflation: Float { peaks.inflation }

  mutating func add(_ score: Float, _ value: Float, _ split: StartTimes, _ longest: Int) {
    sum += score
    guard sum > 0 else { return close() }
    peaks.note(sum)
    length += 1
    if windows.count >= longest { windows.removeFirst() }
    windows.append(Window(value: value, score: score, split: split))
  }

  /// Counts the peak of the run as ordinary and discards the run.
  mutating func close() {
    peaks.close()
    reset()
  }

  /// Discards the run without counting its peak, which was not ordinary, as after an alarm.
  mutating func reset() {
    (sum, length) = (0, 0)
    peaks.reset()
    if !windows.isEmpty { windows.removeAll(keepingCapacity: windows.count <= 2) }
  }

  /// Index of the first window of the change: the split that maximizes n z̄² ÷ 2.
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

/// Possible start times of a change within a window, by its size.
///
/// The size is known only after some windows, when the samples of the first are gone.
struct StartTimes: Sendable, Equatable {
  /// Sizes of a change, on a logarithmic scale: × 1.35, × 1.65, × 2.2 and × 5.
  private static let sizes: SIMD4<Float> = [0.3, 0.5, 0.8, 1.6]
  private var times: SIMD4<Double>

  init(_ time: Double) { times = SIMD4(repeating: time) }

  init(_ before: SampleWindow, _ window: SampleWindow, from usual: Float, _ middle: Float, _ unit: Float) {
    times = SIMD4(repeating: window.start)
    for place in 0..<4 {
      let size = Self.sizes[place] * unit * (middle < usual ? -1 : 1)
      times[place] = SampleWindow.split(before, window, from: usual, to: usual + size).first
    }
  }

  func time(of change: Float, _ unit: Float) -> Double {
    let size = abs(change) / unit
    return times[size < 0.4 ? 0 : size < 0.65 ? 1 : size < 1.2 ? 2 : 3]
  }
}
