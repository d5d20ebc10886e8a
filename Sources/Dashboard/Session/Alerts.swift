package import Aggregation
package import Platform

/// What is worth a sign in the tree or a line in «What changed», found by scanning all series once a second.
package struct Alerts: Sendable, Equatable {
  /// Signs by series.
  var signs: [SeriesIdentity: RowSign] = [:]
  /// The newest first.
  package internal(set) var events: [ChangeEvent] = []
  /// Whether a scan saw everything that was there at the opening.
  var isOfWhole = false
  /// When the scan was made, and of what.
  var scannedAt = Timestamp.distantPast
  var recorded = -1
  var edge = Timestamp.distantPast
  /// What is usual for each series, from the last hour, kept for ten seconds.
  var baselines: [SeriesID: Baseline] = [:]

  /// Series over their limit or silent.
  package var count: Int { signs.values.filter { $0 == .overLimit || $0 == .silent }.count }
}

/// Percentiles of the hour before a moment.
struct Baseline: Sendable, Equatable {
  /// What it was computed from.
  struct Key: Sendable, Hashable {
    var edge: Timestamp
    var firstTime: Timestamp
    var rolledUp: Int
  }

  var key: Key
  var count: Int
  var p50: Quantile
  var p95: Quantile
  var p999: Quantile
}

/// The sign at the end of a row.
package enum RowSign: Int, Sendable, Hashable {
  case overLimit, silent, aboveOwn, few
}

/// One line of «What changed».
package struct ChangeEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case overLimit, silent, aboveOwn, outlier, changed
    case file(FeedEvent.Kind)

    /// Whether `e` stops at it.
    var isAlert: Bool {
      switch self {
      case .overLimit, .silent, .file(.failed), .file(.truncated), .file(.removed), .file(.rejected):
        return true
      case .aboveOwn, .outlier, .changed, .file(.rotated), .file(.gap), .file(.appeared): return false
      }
    }
  }

  package let kind: Kind
  package let time: Timestamp
  /// The series it is about.
  package let series: SeriesIdentity?
  package let subject: String
  package let text: String
}
