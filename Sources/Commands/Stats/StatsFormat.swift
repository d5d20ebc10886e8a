import Codecs
import Essentials
import TerminalUI

/// The output format of `stats`.
package enum StatsFormat: String, CaseIterable, Sendable {
  case table, json, csv

  /// Writes the rows as text, in pieces; control sequences are removed for a terminal.
  func write(_ rows: [StatsRow], toTerminal: Bool = false, to output: (String) -> Void) {
    var piece = ""
    func write(_ text: some StringProtocol) {
      piece += text
      guard piece.utf8.count > Self.pieceSize else { return }
      output(piece)
      piece = ""
    }
    switch self {
    case .table: Self.table(rows) { write($0) }
    case .json: Self.json(rows) { write($0) }
    case .csv: Self.csv(rows, toTerminal: toTerminal) { write($0) }
    }
    output(piece)
  }

  /// Bytes written at once: the whole text of a million rows would take a third of the memory.
  private static let pieceSize = 1 << 16

  // MARK: JSON: an array of objects, one per line

  private static func json(_ rows: [StatsRow], to write: (String) -> Void) {
    guard !rows.isEmpty else { return write("[]\n") }
    write("[\n")
    for place in rows.indices {
      write("  " + object(rows[place]) + (place == rows.count - 1 ? "\n" : ",\n"))
    }
    write("]\n")
  }

  private static func object(_ row: StatsRow) -> String {
    let texts = [row.bucket, row.name, row.type].map { $0.map(quoted) ?? "null" }
    let values = texts + [String(row.count)] + row.numbers.map { $0?.text ?? "null" }
    let unit = row.unit.map { ",\"unit\":" + quoted($0) } ?? ""
    return "{" + zip(StatsRow.columns, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + unit + "}"
  }

  private static func quoted(_ text: String) -> String {
    var json: [UInt8] = []
    JSONWriter.append(text: text, to: &json, escapesSlashes: false)
    return harmless(String(decoding: json, as: UTF8.self))
  }

  /// Escapes everything that a terminal might interpret or hide: JSON itself leaves U+009B, direction changes and the
  /// like unescaped.
  static func harmless(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { SafeText.columns(of: $0) == nil }) else { return json }
    return json.unicodeScalars.map { scalar in
      guard SafeText.columns(of: scalar) == nil else { return String(scalar) }
      return UTF16.encode(scalar).map { $0.map { "\\u" + Hexadecimal.text($0) }.joined() } ?? ""
    }.joined()
  }

  // MARK: CSV (RFC 4180), which has no escapes: names are unchanged in a file and sanitized for a terminal

  private static func csv(_ rows: [StatsRow], toTerminal: Bool, to write: (String) -> Void) {
    let hasUnits = rows.contains { $0.unit != nil }
    write((StatsRow.columns + (hasUnits ? ["unit"] : [])).joined(separator: ",") + "\r\n")
    func text(_ text: String) -> String { field(toTerminal ? SafeText.sanitized(text) : text) }
    for row in rows {
      let texts = [row.bucket ?? "", row.name, row.type].map(text)
      let values =
        texts + [String(row.count)] + row.numbers.map { $0?.text ?? "" }
        + (hasUnits ? [text(row.unit ?? "")] : [])
      write(values.joined(separator: ",") + "\r\n")
    }
  }

  private static func field(_ text: String) -> String {
    var field: [UInt8] = []
    CSVText.append(Array(text.utf8)[...], to: &field)
    return String(decoding: field, as: UTF8.self)
  }

  // MARK: Table

  /// Maximum columns of a text, longer than any name in Apple's payloads: one endless name would make every line as long.
  private static let widestText = 104

  private static func table(_ rows: [StatsRow], to write: (String) -> Void) {
    // If some samples are not numbers, the figures cover fewer samples than the count.
    let hasOthers = rows.contains { $0.numberCount > 0 && $0.numberCount != $0.count }
    let figures = StatsRow.columns.dropFirst(4).prefix(8)
    let extra = ExtraColumns(hasUnits: rows.contains { $0.unit != nil }, hasOthers: hasOthers)
    let titles =
      Array(StatsRow.columns.prefix(3)) + (extra.hasUnits ? ["unit"] : []) + ["count"]
      + (hasOthers ? ["numbers"] : []) + figures
    let texts = extra.hasUnits ? 4 : 3
    // The cells are formatted twice: those of a million rows would take more memory than everything else.
    var widths = titles.map { SafeText.width(of: $0) }
    for row in rows {
      for (column, cell) in cells(of: row, extra, figures: figures.count).enumerated() {
        widths[column] = max(widths[column], SafeText.width(of: cell))
      }
    }
    write(line(titles, widths, texts: texts))
    for row in rows {
      write(line(cells(of: row, extra, figures: figures.count), widths, texts: texts))
    }
    guard let error = rows.lazy.compactMap(\.percentileError).max(), error > 0 else { return }
    write("~ too many numbers to keep them all: within \(rounded(.double(error * 100))) %\n")
  }

  /// The columns that only some tables have.
  private struct ExtraColumns {
    let hasUnits: Bool
    let hasOthers: Bool
  }

  private static func cells(of row: StatsRow, _ extra: ExtraColumns, figures: Int) -> [String] {
    ([row.bucket ?? "-", row.name, row.type] + (extra.hasUnits ? [row.unit ?? "-"] : [])).map {
      SafeText.truncated($0, to: widestText)
    }
      + [String(row.count)]
      + (extra.hasOthers ? [row.numberCount > 0 ? String(row.numberCount) : "-"] : [])
      + row.numbers.prefix(figures).enumerated().map { place, number in
        let isRough = place >= 4 && row.percentileError ?? 0 > 0
        return number.map { (isRough ? "~" : "") + rounded($0) } ?? "-"
      }
  }

  private static func line(_ cells: [String], _ widths: [Int], texts: Int) -> String {
    var line = cells.indices.map { padded(cells[$0], to: widths[$0], isText: $0 < texts) }.joined(
      separator: "  ")
    while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
    return line + "\n"
  }

  private static func padded(_ text: String, to width: Int, isText: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - SafeText.width(of: text)))
    return isText ? text + space : space + text
  }

  /// Five significant digits, which is what people compare.
  private static func rounded(_ number: ExactNumber) -> String {
    guard case .double(let value) = number else { return number.text }
    if value == value.rounded(), abs(value) < 1e9 { return String(Int(value)) }
    return String.printed("%.5g", value)
  }
}
