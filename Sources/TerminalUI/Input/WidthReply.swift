/// The terminal's reply to the query for the cursor's position after a few of our signs.
///
/// Terminals for Chinese, Japanese and Korean can draw signs of ambiguous width (lines, bars, dots) two columns wide, and a
/// terminal that is not set to UTF-8 draws their bytes. Either would shift the rest of the row.
package enum WidthReply {
  /// The row that the query writes to.
  ///
  /// In the first one, the reply would look like a function key.
  static let row = 2
  /// A line, a dot and a bar.
  static let sample = "─·▁"

  /// The query; it leaves the row empty.
  package static let question = start + sample + end
  /// The same without signs: the last answer of a terminal, after which none is expected.
  package static let plainQuestion = start + end
  /// True if a terminal has the room that the query needs.
  package static func fits(_ size: Size) -> Bool { size.width >= 12 && size.height >= row }

  private static let start = "\u{1B}[\(row);1H"
  private static let end = "\u{1B}[6n\r\u{1B}[K"

  /// The width of the sample in columns; `nil` for a cursor in the first column, as after the query without signs.
  static func columns(cursor column: Int) -> Int? { column > 1 ? column - 1 : nil }

  /// True if the sample takes more, or fewer, columns than it has signs.
  static func isUneven(columns: Int) -> Bool { columns != sample.unicodeScalars.count }
}
