/// Method of averaging the bins of histograms.
public enum AverageMethod: String, Hashable, Sendable, CaseIterable, Codable {
  /// The counts of all payloads are summed, and each sample is placed in the middle of its bin.
  ///
  /// The best estimate: off by at most half a bin, which is 5 ms for launches, resumes and hangs and 50 ms for signposts.
  case pooled
  /// As ``pooled``, but with each sample at the start of its bin: too low.
  case start
  /// As ``pooled``, but with each sample at the end of its bin as written: too high.
  case end
  /// The figure found in articles and computed by many apps: the unweighted mean of each payload's mean of bin ends.
  ///
  /// A payload with one launch counts as much as one with a thousand, so this is not an average of the samples and
  /// may be far from it. A payload whose histogram has no samples has no mean, and then neither has the whole;
  /// payloads without the histogram are left out. Use it only to compare with figures computed the same way.
  case published
}

/// An average with bounds on the true one, in milliseconds.
///
/// The true average is what the method would give for the samples themselves: the mean of all of them, or, for
/// ``AverageMethod/published``, the unweighted mean of the payloads' means.
public struct TimeAverage: Hashable, Sendable {
  /// The average by the requested method, in milliseconds.
  public let value: Double
  /// Lower bound of the true average, in milliseconds.
  public let lower: Double
  /// Upper bound of the true average, in milliseconds.
  public let upper: Double
  /// Number of samples it is based on; saturates at `Int.max`.
  public let count: Int
}

extension TimeHistogram {
  /// The average of the samples with the bounds that the bins allow; `nil` without samples.
  ///
  /// ```swift
  /// launches.average(method: .pooled)  // 1862.143, from 1857.143 to 1867.143
  /// ```
  public func average(method: AverageMethod) -> TimeAverage? {
    let mean = { (value: (Bin) -> Double) in
      WeightedMean.of(bins, value: value, weight: { Double($0.count) })
    }
    guard let lower = mean({ $0.edges.lowerBound }), let upper = mean({ $0.edges.upperBound }),
      let end = mean({ $0.end })
    else { return nil }
    let value =
      switch method {
      case .pooled: lower / 2 + upper / 2
      case .start: lower
      case .end, .published: end
      }
    return TimeAverage(value: value, lower: lower, upper: upper, count: count)
  }
}
