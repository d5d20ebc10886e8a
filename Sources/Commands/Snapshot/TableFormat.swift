import Codecs
import DashboardCore
import TerminalUI

/// A format in which `snapshot` writes the table of a screen.
package enum TableFormat: String, CaseIterable, Sendable {
  case json, csv, markdown

  func text(_ table: ScreenTable) -> String {
    switch self {
    case .json: json(table)
    case .csv: ([table.columns] + table.rows.map { $0.map(\.text) }).map { csv($0) }.joined()
    case .markdown: markdown(table)
    }
  }

  /// An array of objects, one a line.
  private func json(_ table: ScreenTable) -> String {
    let rows = table.rows.map { row in
      let members = zip(table.columns, row).map { Self.quoted($0) + ":" + $1.json }
      return "  {" + members.joined(separator: ",") + "}"
    }
    return rows.isEmpty ? "[]\n" : "[\n" + rows.joined(separator: ",\n") + "\n]\n"
  }

  private func csv(_ cells: [String]) -> String {
    var row: [UInt8] = []
    for (place, cell) in cells.enumerated() {
      if place > 0 { row.append(UInt8(ascii: ",")) }
      CSVText.append(Array(cell.utf8)[...], to: &row)
    }
    return String(decoding: row, as: UTF8.self) + "\r\n"
  }

  private func markdown(_ table: ScreenTable) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    let rules = table.columns.indices.map { place in
      table.rows.contains { if case .number = $0[place] { true } else { false } } ? "--:" : "---"
    }
    let rows = table.rows.map { row in
      line(row.map { SafeText.sanitized($0.text).replacing("|", with: "\\|") })
    }
    return line(table.columns) + line(rules) + rows.joined()
  }

  fileprivate static func quoted(_ text: String) -> String {
    var json: [UInt8] = []
    JSONWriter.append(text: text, to: &json, escapesSlashes: false)
    return StatsFormat.harmless(String(decoding: json, as: UTF8.self))
  }
}

extension ScreenTable.Cell {
  fileprivate var text: String {
    switch self {
    case .text(let text): SafeText.sanitized(text)
    case .number(let number): ExactNumber.double(number).text
    case .empty: ""
    }
  }

  fileprivate var json: String {
    switch self {
    case .text(let text): TableFormat.quoted(text)
    case .number(let number): ExactNumber.double(number).text
    case .empty: "null"
    }
  }
}
