import Aggregation
import Essentials

extension MetricPayload {
  /// Adds the figures of the app's own signposts.
  ///
  /// Two with the same category and name become one figure, because readers take each figure of a payload once.
  func addSignposts(to list: inout FigureList) {
    var places: [String: Int] = [:]
    var merged: [(prefix: String, metric: SignpostMetric)] = []
    for metric in signpostMetrics ?? [] {
      let prefix = metric.figurePrefix
      if let place = places[prefix] {
        merged[place].metric = merged[place].metric.merged(with: metric)
      } else {
        places[prefix] = merged.count
        merged.append((prefix, metric))
      }
    }
    for (prefix, metric) in merged { metric.add(to: &list, under: prefix) }
  }
}

extension MetricPayload.SignpostMetric {
  /// `signpostMetrics.CATEGORY/NAME.`; a slash, because categories often contain dots and a dot would make different
  /// signposts ambiguous.
  fileprivate var figurePrefix: String {
    let place = [signpostCategory, signpostName].map(PayloadFigure.escaped).joined(separator: "/")
    return "signpostMetrics.\(place)."
  }

  fileprivate func add(to list: inout FigureList, under prefix: String) {
    list.add(prefix + "totalCount", count: totalCount)
    signpostIntervalData?.addFigures(under: prefix, to: &list)
  }

  /// The combined figures; means are weighted by the number of their intervals.
  fileprivate func merged(with other: Self) -> Self {
    var both = self
    both.totalCount = totalCount.addingSaturated(other.totalCount)
    both.signpostIntervalData = Self.joined(signpostIntervalData, other.signpostIntervalData) {
      first, second in
      first.merged(
        with: second, share: Self.share(of: other.intervalCount, besides: intervalCount))
    }
    return both
  }

  /// Number of intervals behind its means.
  private var intervalCount: Int { signpostIntervalData?.histogrammedSignpostDuration?.count ?? totalCount }

  private static func share(of count: Int, besides rest: Int) -> Double {
    let (count, rest) = (Double(max(count, 0)), Double(max(rest, 0)))
    return count + rest > 0 ? count / (count + rest) : 0.5
  }

  fileprivate static func joined<Value>(
    _ first: Value?, _ second: Value?, _ join: (Value, Value) -> Value
  ) -> Value? {
    guard let first, let second else { return first ?? second }
    return join(first, second)
  }
}

extension MetricPayload.SignpostIntervalData {
  /// - Parameter share: The other's share of all intervals, from 0 to 1.
  fileprivate func merged(with other: Self, share: Double) -> Self {
    typealias Metric = MetricPayload.SignpostMetric
    var both = self
    both.histogrammedSignpostDuration = Metric.joined(
      histogrammedSignpostDuration, other.histogrammedSignpostDuration
    ) { $0.merged(with: $1) }
    both.cumulativeCPUTimeQuantity = Metric.joined(cumulativeCPUTimeQuantity, other.cumulativeCPUTimeQuantity)
    {
      $0.adding($1)
    }
    both.cumulativeLogicalWritesQuantity = Metric.joined(
      cumulativeLogicalWritesQuantity, other.cumulativeLogicalWritesQuantity
    ) {
      $0.adding($1)
    }
    both.averageMemoryQuantity = Metric.joined(averageMemoryQuantity, other.averageMemoryQuantity) {
      $0.scaled(by: 1 - share).adding($1.scaled(by: share))
    }
    both.cumulativeHitchTimeRatioQuantity = Metric.joined(
      cumulativeHitchTimeRatioQuantity, other.cumulativeHitchTimeRatioQuantity
    ) {
      Quantity(value: $0.value * (1 - share) + $1.value * share, unit: $0.unit)
    }
    return both
  }
}
