/// A figure of the Live screen's list.
package enum LiveColumn: String, CaseIterable, Hashable, Sendable {
  case now, p50, p95, p99, max
  /// The 95th percentile relative to the last hour.
  case change = "p95/1h"
  case rate
  /// Number of samples in the window.
  case count = "n"

  /// The heading above the column.
  package var title: String { self == .now ? "NOW" : rawValue }

  /// The width in columns, without the space before it.
  package var width: Int {
    switch self {
    // Five columns for a number, a space and two for its unit; a percentile may have a `~` in front.
    case .now: 8
    case .p50, .p95, .p99, .max: 9
    case .change, .rate: 7
    case .count: 4
    }
  }

  /// The figures that wide screens add, in order of importance.
  package static let extra: [LiveColumn] = [.p50, .p99, .max, .rate]
}
