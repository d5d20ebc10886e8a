/// How an average is made of the bins of histograms.
public enum AverageMethod: String, Hashable, Sendable, CaseIterable, Codable {
  /// The counts of all payloads are summed, and a sample counts with the middle of its bin.
  ///
  /// The best guess: off by at most half a bin, which is 5 ms for launches, resumes and hangs and 50 ms for signposts.
  case pooled
  /// As ``pooled``, but a sample counts with the start of its bin: too low.
  case start
  /// As ``pooled``, but a sample counts with the end of its bin as written: too high.
  case end
  /// The figure published in articles and by many apps: the plain mean of each payload's mean of bin ends.
  ///
  /// A payload of one launch counts as much as one of a thousand, so it is no average of the samples, and may lie far from
  /// theirs. A payload with a histogram without a sample has no mean, and with it there is none of all; one without the
  /// histogram is left out. Use it to compare with figures that were made so.
  case published
}

/// An average and the bounds that the true one must lie in, in milliseconds.
///
/// The true one is what the method would come to if it were given the samples: the mean of all of them, but for
/// ``AverageMethod/published`` the plain mean of the payloads' means.
public struct TimeAverage: Hashable, Sendable {
  /// The average by the method asked for, in milliseconds.
  public let value: Double
  /// The true one is not below this, in milliseconds.
  public let lower: Double
  /// The true one is not above this, in milliseconds.
  public let upper: Double
  /// How many samples it is of; `Int.max` for more than that.
  public let count: Int
}

extension TimeHistogram {
  /// The average of the samples and the bounds that the bins allow; `nil` without a sample.
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
