import Codecs
import Foundation
import TerminalUI

/// How `stats` writes its rows.
package enum StatsFormat: String, CaseIterable, Sendable {
  case table, json, csv

  /// The rows as text; what goes to a terminal holds nothing that it would obey.
  func text(_ rows: [StatsRow], toTerminal: Bool = false) -> String {
    switch self {
    case .table: Self.table(rows)
    case .json: Self.json(rows)
    case .csv: Self.csv(rows, toTerminal: toTerminal)
    }
  }

  // MARK: JSON: an array of objects, one to a line.

  private static func json(_ rows: [StatsRow]) -> String {
    guard !rows.isEmpty else { return "[]\n" }
    return "[\n" + rows.map { "  " + object($0) }.joined(separator: ",\n") + "\n]\n"
  }

  private static func object(_ row: StatsRow) -> String {
    let texts = [row.bucket, row.name, row.type].map { $0.map(quoted) ?? "null" }
    let values = texts + [String(row.count)] + row.numbers.map { $0?.text ?? "null" }
    return "{" + zip(StatsRow.columns, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var json: [UInt8] = []
    JSONWriter.append(text: text, to: &json, escapesSlashes: false)
    return harmless(String(decoding: json, as: UTF8.self))
  }

  /// The same JSON with everything escaped that a terminal might obey or hide: JSON itself leaves U+009B, direction
  /// changes and the like as they are.
  static func harmless(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { SafeText.columns(of: $0) == nil }) else { return json }
    return json.unicodeScalars.map { scalar in
      guard SafeText.columns(of: scalar) == nil else { return String(scalar) }
      return UTF16.encode(scalar).map { $0.map { "\\u" + Hexadecimal.text($0) }.joined() } ?? ""
    }.joined()
  }

  // MARK: CSV (RFC 4180), which knows no escapes: a file gets the names as they are, a terminal may not.

  private static func csv(_ rows: [StatsRow], toTerminal: Bool) -> String {
    let lines = rows.map { row in
      let texts = [row.bucket ?? "", row.name, row.type].map {
        field(toTerminal ? SafeText.sanitized($0) : $0)
      }
      return texts + [String(row.count)] + row.numbers.map { $0?.text ?? "" }
    }
    return ([StatsRow.columns] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ text: String) -> String {
    var field: [UInt8] = []
    CSVText.append(Array(text.utf8)[...], to: &field)
    return String(decoding: field, as: UTF8.self)
  }

  // MARK: Table, for people.

  /// Columns that a text may take: one endless name would make every line as long as itself.
  private static let widestText = 60

  private static func table(_ rows: [StatsRow]) -> String {
    // Where not all samples are numbers, the figures are of fewer than there are samples.
    let hasOthers = rows.contains { $0.numberCount > 0 && $0.numberCount != $0.count }
    let figures = Array(StatsRow.columns.dropFirst(4).prefix(8))
    let titles = Array(StatsRow.columns.prefix(4)) + (hasOthers ? ["numbers"] : []) + figures
    let lines = rows.map { row in
      [row.bucket ?? "-", row.name, row.type].map { SafeText.truncated($0, to: widestText) }
        + [String(row.count)]
        + (hasOthers ? [row.numberCount > 0 ? String(row.numberCount) : "-"] : [])
        + row.numbers.prefix(figures.count).enumerated().map { place, number in
          let isRough = place >= 4 && row.percentileError ?? 0 > 0
          return number.map { (isRough ? "~" : "") + rounded($0) } ?? "-"
        }
    }
    let widths = titles.indices.map { column in
      ([titles] + lines).map { SafeText.width(of: $0[column]) }.max() ?? 0
    }
    let text = ([titles] + lines).map { line in
      let cells = line.indices.map { padded(line[$0], to: widths[$0], isText: $0 < 3) }
      let line = cells.joined(separator: "  ")
      return line.prefix(line.count - line.reversed().prefix { $0 == " " }.count) + "\n"
    }.joined()
    guard let error = rows.compactMap(\.percentileError).max(), error > 0 else { return text }
    return text + "~ too many numbers to keep them all: within \(rounded(.double(error * 100))) %\n"
  }

  private static func padded(_ text: String, to width: Int, isText: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - SafeText.width(of: text)))
    return isText ? text + space : space + text
  }

  /// Five digits that matter, which is what a person compares.
  private static func rounded(_ number: ExactNumber) -> String {
    guard case .double(let value) = number else { return number.text }
    if value == value.rounded(), abs(value) < 1e9 { return String(Int(value)) }
    return String(format: "%.5g", value)
  }
}
