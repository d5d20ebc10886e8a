import Aggregation
import History

/// The rows of the table in an order.
struct TableRows {
  let reader: ServerReader
  let statements: PageStatements
  let order: HistoryPageQuery.Order
  /// The times outside which there are no rows.
  var times = SampleTimes.all

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
      return try readNear(before - middle..<before - numbers.lowerBound, of: total, place, backwards: true)
        + readNear(middle - before..<numbers.upperBound - before, of: total, place, backwards: false)
    }
    guard numbers.lowerBound > total / 2 else { return try read(numbers, nil, backwards: false) }
    return try read(total - numbers.upperBound..<total - numbers.lowerBound, nil, backwards: true)
  }

  /// The same of rows in the order of time, looked for in ever more time around the place.
  private func readNear(
    _ numbers: Range<Int>, of total: Int, _ place: PageStatements.Place, backwards: Bool
  ) throws -> [StoredSample] {
    let numbers = max(0, numbers.lowerBound)..<max(0, numbers.upperBound)
    guard let window = statements.selection.times.first?.clamped(to: times), !numbers.isEmpty else {
      return []
    }
    let length = Double(window.upperBound) - Double(window.lowerBound)
    // Four times as many as needed, if they are spread evenly.
    var span = length / Double(max(1, total)) * Double(numbers.upperBound) * 4
    let start = max(window.lowerBound, min(place.at, window.upperBound))
    while span < length, let width = Int64(exactly: span.rounded(.up)) {
      // The place itself may lie between rows of its time.
      let times =
        backwards
        ? start.addingSaturated(-width)..<start.addingSaturated(1)
        : start..<start.addingSaturated(width).addingSaturated(1)
      let rows = TableRows(
        reader: reader, statements: statements.during(times.clamped(to: window)), order: order)
      let found = try rows.read(numbers, place, backwards: backwards)
      if found.count >= numbers.count { return found }
      span *= 16
    }
    return try read(numbers, place, backwards: backwards)
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
