import Aggregation

/// A metric or a kind of change that the user ignores in a file.
package struct IgnoredChange: Hashable, Sendable {
  /// The `bucket.name`; `nil` for all metrics.
  package let metric: String?
  /// The kind, as in ``Aggregation/Incident/Kind/name``; `nil` for all kinds.
  package let kind: String?

  package init(metric: String?, kind: String? = nil) { (self.metric, self.kind) = (metric, kind) }

  /// True if it covers a kind of change of a series.
  func covers(_ series: SeriesIdentity, _ kind: Incident.Kind) -> Bool {
    (metric == nil || metric == series.fullName) && (self.kind == nil || self.kind == kind.name)
  }

  /// `net.request_ms`, or `rate changes of net.request_ms`.
  package var text: String {
    guard let kind else { return metric ?? "all metrics" }
    let changes = kind == "drift" || kind == "outlier" || kind == "silence" ? "\(kind)s" : "\(kind) changes"
    return "\(changes) of \(metric ?? "all metrics")"
  }
}

extension Incident.Kind {
  /// The name, in which values above and below the usual ones are the same.
  package var name: String {
    switch self {
    case .above, .below: "level"
    case .drift: "drift"
    case .outlier: "outlier"
    case .tail: "tail"
    case .outcome: "outcome"
    case .rate: "rate"
    case .silent: "silence"
    }
  }
}
