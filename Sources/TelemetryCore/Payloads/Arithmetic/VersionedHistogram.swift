import Aggregation

/// A histogram with the facts that decide whether it counts for a version: the input of averages.
public struct VersionedHistogram: Hashable, Sendable {
  /// The application version named by the payload, if any.
  public var version: String?
  /// True if the payload also has data of other versions.
  public var includesOtherVersions: Bool
  /// True if the payload was simulated.
  public var isSimulated: Bool
  /// The histogram, if the payload has one.
  public var histogram: TimeHistogram?

  /// A histogram of one payload.
  public init(
    version: String?, includesOtherVersions: Bool = false, isSimulated: Bool = false,
    histogram: TimeHistogram?
  ) {
    self.version = version
    self.includesOtherVersions = includesOtherVersions
    self.isSimulated = isSimulated
    self.histogram = histogram
  }
}

extension Sequence<VersionedHistogram> {
  /// The histograms of exactly one version; payloads that mix versions are left out.
  ///
  /// - Parameters:
  ///   - applicationVersion: The version.
  ///   - includingSimulated: True to include simulated payloads.
  public func histograms(applicationVersion: String, includingSimulated: Bool = false) -> [TimeHistogram] {
    compactMap { payload in
      guard payload.version == applicationVersion, !payload.includesOtherVersions,
        includingSimulated || !payload.isSimulated
      else { return nil }
      return payload.histogram
    }
  }

  /// The average over the payloads of exactly one version; `nil` without samples.
  ///
  /// - Parameters:
  ///   - applicationVersion: The version.
  ///   - method: The averaging method.
  ///   - includingSimulated: True to include simulated payloads.
  public func average(
    applicationVersion: String, method: AverageMethod = .pooled, includingSimulated: Bool = false
  ) -> TimeAverage? {
    let histograms = histograms(
      applicationVersion: applicationVersion, includingSimulated: includingSimulated)
    guard method == .published else {
      return TimeHistogram.merging(histograms).average(method: method)
    }
    let averages = histograms.compactMap { $0.average(method: .published) }
    guard averages.count == histograms.count else { return nil }
    let mean = { (value: (TimeAverage) -> Double) in
      WeightedMean.of(averages, value: value, weight: { _ in 1 })
    }
    guard let value = mean(\.value), let lower = mean(\.lower), let upper = mean(\.upper) else { return nil }
    let count = averages.reduce(0) { $0.addingSaturated($1.count) }
    return TimeAverage(value: value, lower: lower, upper: upper, count: count)
  }
}
