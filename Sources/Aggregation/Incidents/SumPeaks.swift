/// The peaks that a CUSUM reaches before it falls back to zero, which are exponentially distributed (Siegmund 1985).
///
/// Where they are larger than those of independent samples, a threshold has to be larger by the same factor.
struct SumPeaks: Sendable, Equatable {
  /// The mean peak of independent samples.
  private let ordinary: Float
  /// Number of peaks that are averaged over.
  private let memory: Float
  private var peak: Float = 0
  private var count: Float = 3
  private var mean: Float
  private var square: Float

  init(ordinary: Float, memory: Float) {
    (self.ordinary, self.memory) = (ordinary, memory)
    // As if some ordinary ones had been seen.
    (mean, square) = (ordinary, 2 * ordinary * ordinary)
  }

  /// The size of the peaks relative to ordinary ones.
  ///
  /// For an exponential distribution, half the second moment over the first is the mean; for a mixture, it is the mean of
  /// the larger ones.
  var inflation: Float { square / (2 * max(mean, 0.1)) / ordinary }

  /// Notes the present value of the sum.
  mutating func note(_ sum: Float) { peak = max(peak, sum) }

  /// Counts the peak of the sum that has ended.
  mutating func close() {
    if peak > 0 {
      count = min(count + 1, memory)
      mean += (peak - mean) / count
      square += (peak * peak - square) / count
    }
    peak = 0
  }

  /// Forgets the sum under way, as after an alarm.
  mutating func reset() { peak = 0 }
}
