/// A figure of the Live screen's list.
package enum LiveColumn: String, CaseIterable, Hashable, Sendable {
  case now, p50, p95, p99, max
  /// The change of the 95th percentile against the last hour.
  case change = "p95/1h"
  case rate
  /// Samples in the window.
  case count = "n"

  /// What stands above it.
  var title: String { self == .now ? "NOW" : rawValue }

  /// Columns that it takes, without the space before it.
  var width: Int {
    switch self {
    case .now, .p50: 6
    case .p95, .p99, .max, .change, .rate: 7
    case .count: 4
    }
  }

  /// Figures that wide screens have beside the usual ones, in the order of their weight.
  static let extra: [LiveColumn] = [.p99, .max, .change, .rate]
}
