import History

/// The rows of the table in an order.
struct TableRows {
  let reader: ServerReader
  let statements: PageStatements
  let order: HistoryPageQuery.Order

  private var isByTime: Bool { order == .time }
  private var isDescending: Bool { order == .value(descending: true) }

  /// The number of rows in all, and of those before a place; none of them without a place.
  func count(before place: PageStatements.Place?) throws -> (total: Int, before: Int) {
    let statement: String
    if let place, !isByTime {
      statement = statements.count(before: place, descending: isDescending)
    } else {
      statement = statements.count(before: place)
    }
    let counts = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in
      (total: try row.tally(), before: try row.tally())
    }
    return counts.first ?? (0, 0)
  }

  /// The rows with these numbers: from the place on and back from it, or from the nearer end of the order.
  func rows(
    _ numbers: Range<Int>, of total: Int, _ place: PageStatements.Place?, before: Int
  ) throws -> [StoredSample] {
    if let place, isByTime {
      let middle = max(numbers.lowerBound, min(numbers.upperBound, before))
      return try read(before - middle..<before - numbers.lowerBound, place, backwards: true)
        + read(middle - before..<numbers.upperBound - before, place, backwards: false)
    }
    guard numbers.lowerBound > total / 2 else { return try read(numbers, nil, backwards: false) }
    return try read(total - numbers.upperBound..<total - numbers.lowerBound, nil, backwards: true)
  }

  /// Rows in their order, counted from a place, or backwards from it.
  private func read(
    _ numbers: Range<Int>, _ place: PageStatements.Place?, backwards: Bool
  ) throws -> [StoredSample] {
    let numbers = max(0, numbers.lowerBound)..<max(0, numbers.upperBound)
    guard !numbers.isEmpty else { return [] }
    let statement =
      isByTime
      ? statements.rows(numbers, from: place, backwards: backwards)
      : statements.rows(numbers, descending: isDescending != backwards)
    let rows = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in try StoredSample(&row) }
    return backwards ? rows.reversed() : rows
  }
}
