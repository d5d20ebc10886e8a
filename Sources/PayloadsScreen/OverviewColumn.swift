import TelemetryCore
import TerminalUI

/// A column of the overview's list.
struct OverviewColumn: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case name, value, count, median, tail, perHour, total, change, verdict
    /// The verdict in words.
    case words
  }

  let kind: Kind
  /// True if it belongs to B; columns of no side concern both.
  var isB = false
  let width: Int

  /// The columns that fit into a width.
  static func columns(width: Int, hasB: Bool) -> [OverviewColumn] {
    let side = Self.side(width: width, hasB: hasB)
    var columns = [OverviewColumn(kind: .name, width: 10)]
    columns += side.map { OverviewColumn(kind: $0.kind, width: $0.width) }
    guard hasB else { return columns }
    columns += side.map { OverviewColumn(kind: $0.kind, isB: true, width: $0.width) }
    columns.append(OverviewColumn(kind: .change, width: width >= 60 ? 7 : 5))
    columns.append(OverviewColumn(kind: .verdict, width: width >= 60 ? 4 : 1))
    if width >= 112 {
      // From here on the group that carries a change fits beside its direction.
      columns.append(OverviewColumn(kind: .words, width: width >= 190 ? 32 : 11))
    }
    return columns
  }

  private static func side(width: Int, hasB: Bool) -> [(kind: Kind, width: Int)] {
    // Two sides take as much space as one that is twice as wide.
    switch hasB ? width : width * 2 - 20 {
    case 180...:
      [(.value, 16), (.count, 7), (.median, 14), (.tail, 14), (.perHour, 10), (.total, 8)]
    case 112...: [(.value, 14), (.count, 6), (.tail, 12)]
    case 76...: [(.value, 13), (.count, 5)]
    case 60...: [(.value, 12)]
    default: hasB ? [(.value, 8)] : [(.value, 12), (.count, 6)]
    }
  }

  var isLeading: Bool { kind == .name || kind == .words }

  /// The title above the column.
  ///
  /// - Parameter sides: The names of A and B.
  func title(sides: [String]) -> String {
    switch kind {
    case .name: "FIGURE"
    case .value: (isB ? "B " : "A ") + ((isB ? sides.last : sides.first) ?? "")
    case .count: "n"
    case .median: "p50"
    case .tail: "p95"
    case .perHour: "an hour"
    case .total: "total"
    case .change: "change"
    case .verdict: width < 4 ? "" : "real"
    case .words: ""
    }
  }
}
