import Codecs
import History
import Platform
import TelemetryCore
import TerminalUI

/// A list behind a line of the overview: the payloads that carry it, the members of one of them, or its JSON.
struct OverviewPage: Sendable, Equatable {
  /// Leads from a row to the page behind it.
  enum Target: Hashable, Sendable {
    /// A payload of a side, by its index there.
    case payload(isB: Bool, index: Int)
    /// A diagnostic, by its index in the archive.
    case diagnostic(Int)
    case original(OriginalQuery)
  }

  struct Row: Hashable, Sendable {
    let cells: [String]
    var target: Target?
  }

  let title: String
  let columns: [Column]
  private(set) var rows: [Row]
  /// The JSON that fills the page once it is known.
  private(set) var awaited: OriginalQuery?
  private(set) var selected = 0
  private(set) var offset = 0

  /// Maximum number of lines of JSON that are shown.
  private static let lineLimit = 100_000

  init(_ title: String, _ columns: [Column], _ rows: [Row]) {
    (self.title, self.columns, self.rows) = (title, columns, rows)
  }

  /// A page that waits for the JSON of a payload.
  init(awaiting query: OriginalQuery) {
    self.init(
      "JSON of \(query.source)",
      [Column("all members of the payload, sorted by name", width: 20, isFlexible: true)],
      [Row(cells: ["Reading…"])])
    awaited = query
  }

  var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

  /// Moves the selection, and scrolls it into view.
  mutating func move(by count: Int, height: Int) {
    let moved = selected.addingReportingOverflow(count)
    let wanted = moved.overflow ? (count < 0 ? 0 : rows.count - 1) : moved.partialValue
    selected = max(0, min(rows.count - 1, wanted))
    offset = Table.offset(showing: selected, of: rows.count, height: max(1, height), from: offset)
  }

  /// Fills the page with the JSON that it waits for.
  mutating func adopt(_ original: OriginalAnswer) {
    guard awaited == original.query else { return }
    awaited = nil
    guard let json = original.json, let text = PayloadOriginal.lines(ofRecorded: json) else {
      rows = [Row(cells: ["These files do not keep all members of the payload: import it again"])]
      return
    }
    rows = text.prefix(Self.lineLimit).map { Row(cells: [$0]) }
    if text.count > Self.lineLimit {
      rows.append(Row(cells: ["… \(text.count - Self.lineLimit) more lines"]))
    }
  }

  /// The title and the selected row in words.
  var words: String {
    let cells = zip(columns, selectedRow?.cells ?? []).filter { !$0.1.isEmpty }
    let parts = cells.map { column, cell in column.title.isEmpty ? cell : "\(column.title) \(cell)" }
    return ([title] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ". ")
  }

  /// All rows as a tab-separated table.
  func text(_ repertoire: Repertoire) -> String {
    ([columns.map(\.title)] + rows.map(\.cells)).map { SafeText.row($0, repertoire: repertoire) }
      .joined(separator: "\n")
  }
}
