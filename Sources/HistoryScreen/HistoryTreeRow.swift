package import Aggregation
package import DashboardCore
import History
import TerminalUI

/// Identifies a row of the History screen's tree.
package enum HistoryRowID: Hashable, Sendable {
  /// A bucket, a struct or a series.
  case node(RowID)
  /// One value of a text or bool series.
  case value(SeriesIdentity, String)
  case view(String)
  case mark(Character)
}

/// One row of the tree, or of the list of views and marks below it.
package struct HistoryTreeRow: Hashable, Sendable {
  /// `nil` for the title of a list.
  package let id: HistoryRowID?
  let depth: Int
  package let label: String
  let fold: TableRow.Fold
  /// Number of samples in the window; `nil` if a count makes no sense.
  package let count: Int?
}

/// Builds the rows of the tree from the known series.
struct HistoryTree {
  /// Sorted by name.
  let series: [HistorySeries]
  /// Rows whose folding differs from the default.
  let toggled: Set<HistoryRowID>
  /// The matcher that selects series; `nil` for all series.
  let matcher: SeriesMatcher?

  /// All rows in order.
  var rows: [HistoryTreeRow] {
    let known = matcher.map { matcher in series.filter { matcher.matches($0.identity) } } ?? series
    return known.runs { $0.identity.bucket }.flatMap(bucket)
  }

  private func bucket(_ members: ArraySlice<HistorySeries>) -> [HistoryTreeRow] {
    let name = members.first?.identity.bucket
    let id = HistoryRowID.node(.bucket(name))
    let metrics = members.runs { $0.identity.structure }
    let isFolded = toggled.contains(id)
    let head = HistoryTreeRow(
      id: id, depth: 0, label: name ?? "(no bucket)", fold: isFolded ? .collapsed : .expanded,
      count: Self.sum(metrics.map(Self.count)))
    return isFolded ? [head] : [head] + metrics.flatMap(metric)
  }

  /// A struct has one sample per line, however many fields it has.
  private static func count(_ fields: ArraySlice<HistorySeries>) -> Int {
    fields.reduce(0) { max($0, $1.count) }
  }

  private static func sum(_ counts: [Int]) -> Int {
    counts.reduce(0) { sum, count in
      let (total, overflow) = sum.addingReportingOverflow(count)
      return overflow ? .max : total
    }
  }

  private func metric(_ fields: ArraySlice<HistorySeries>) -> [HistoryTreeRow] {
    guard let first = fields.first?.identity else { return [] }
    if fields.count == 1, first.field == nil { return fields.flatMap { series($0, depth: 2) } }
    let plain = fields.filter { $0.identity.field == nil }
    let parts = fields.filter { $0.identity.field != nil }
    var rows = plain.flatMap { series($0, depth: 2) }
    guard !parts.isEmpty else { return rows }
    let id = HistoryRowID.node(first.structure)
    let isFolded = toggled.contains(id)
    rows.append(
      HistoryTreeRow(
        id: id, depth: 2, label: first.name, fold: isFolded ? .collapsed : .expanded,
        count: Self.count(parts[...])))
    return isFolded ? rows : rows + parts.flatMap { series($0, depth: 4) }
  }

  private func series(_ one: HistorySeries, depth: Int) -> [HistoryTreeRow] {
    let id = HistoryRowID.node(.series(one.identity))
    let name = one.identity.shortName
    // Values are many and names few, so values are shown on demand.
    let isExpanded = toggled.contains(id)
    let head = HistoryTreeRow(
      id: id, depth: depth, label: name,
      fold: one.values.isEmpty ? .leaf : isExpanded ? .expanded : .collapsed, count: one.count)
    guard isExpanded else { return [head] }
    return [head]
      + one.values.map { value in
        HistoryTreeRow(
          id: .value(one.identity, value.text), depth: depth + 2,
          label: "\(one.identity.field ?? "")=\(value.text.isEmpty ? "\"\"" : value.text)", fold: .leaf,
          count: value.count)
      }
  }
}

extension Collection where SubSequence: Collection {
  /// Runs of neighbours with the same key.
  fileprivate func runs<Key: Equatable>(of key: (Element) -> Key) -> [SubSequence] {
    var runs: [SubSequence] = []
    var start = startIndex
    while start != endIndex {
      let first = key(self[start])
      var end = index(after: start)
      while end != endIndex, key(self[end]) == first { end = index(after: end) }
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
