/// A figure of the Live screen's list.
package enum LiveColumn: String, CaseIterable, Hashable, Sendable {
  case now, p50, p95, p99, max
  /// The change of the 95th percentile against the last hour.
  case change = "p95/1h"
  case rate
  /// Samples in the window.
  case count = "n"

  /// The heading above the column.
  package var title: String { self == .now ? "NOW" : rawValue }

  /// Columns that it takes, without the space before it.
  package var width: Int {
    switch self {
    // Five columns of a number, a space, and two of its unit; before percentiles there may be a `~`.
    case .now: 8
    case .p50, .p95, .p99, .max: 9
    case .change, .rate: 7
    case .count: 4
    }
  }

  /// Figures that wide screens have beside the usual ones, in the order of their weight.
  package static let extra: [LiveColumn] = [.p50, .p99, .max, .rate]
}
