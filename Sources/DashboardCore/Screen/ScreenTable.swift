/// The content of a screen as a table, for other programs.
package struct ScreenTable: Sendable, Equatable {
  package enum Cell: Sendable, Equatable {
    case text(String)
    case number(Double)
    case empty

    package init(_ number: Double?) { self = number.map { $0.isFinite ? .number($0) : .empty } ?? .empty }
    package init(_ number: Int?) { self.init(number.map(Double.init)) }
  }

  package let columns: [String]
  /// As many cells as there are columns.
  package let rows: [[Cell]]

  package init(columns: [String], rows: [[Cell]]) {
    (self.columns, self.rows) = (columns, rows)
  }
}
