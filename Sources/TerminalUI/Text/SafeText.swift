/// The allowlist of drawable text, with its width.
///
/// A terminal obeys its input, so data must never reach it raw. Everything that is not a plain visible
/// sign is shown as one visible mark: control characters, invisible and direction-changing characters,
/// private and unassigned code points, combining marks without a base.
package enum SafeText {
  /// A user-perceived character: one cell, or several where libc gives its parts columns of their own.
  struct Cluster {
    var first: Cell
    var rest: [Cell] = []
    var width: Int

    init(_ cell: Cell) {
      first = cell
      width = cell.width
    }
  }

  /// The mark in place of anything that may not be drawn.
  package static func mark(_ repertoire: Repertoire) -> Unicode.Scalar {
    repertoire == .ascii ? "?" : "\u{FFFD}"
  }

  /// Calls `body` with each cluster in order until it says no; whether all were taken.
  @inline(__always)
  static func forEachCluster(
    of text: String, repertoire: Repertoire, _ body: (Cluster) -> Bool
  ) -> Bool {
    if isSimple(text, repertoire: repertoire) {
      for scalar in text.unicodeScalars {
        guard body(Cluster(Cell(base: scalar))) else { return false }
      }
      return true
    }
    for character in text {
      guard body(cluster(of: character, repertoire: repertoire)) else { return false }
    }
    return true
  }

  /// Columns that the text takes when drawn.
  package static func width(of text: String, repertoire: Repertoire = .unicode) -> Int {
    if isSimple(text, repertoire: repertoire) { return text.unicodeScalars.count }
    return text.reduce(0) { $0 + cluster(of: $1, repertoire: repertoire).width }
  }

  /// The text as it is drawn: every unsafe sign replaced by the mark.
  package static func sanitized(_ text: String, repertoire: Repertoire = .unicode) -> String {
    if isSimple(text, repertoire: repertoire) { return text }
    var result = ""
    for character in text {
      let cluster = cluster(of: character, repertoire: repertoire)
      cluster.first.appendText(to: &result)
      for cell in cluster.rest { cell.appendText(to: &result) }
    }
    return result
  }

  /// Cells as a row of a table, with tabs between them and none inside: what a file says must not make columns.
  package static func row(_ cells: [String], repertoire: Repertoire = .unicode) -> String {
    cells.map { sanitized($0, repertoire: repertoire) }.joined(separator: "\t")
  }

  /// A line as it may leave the program, onto a clipboard: as ``sanitized(_:repertoire:)``, with tabs between columns.
  package static func harmless(_ line: String) -> String {
    let columns = line.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
    return columns.map { sanitized(String($0)) }.joined(separator: "\t")
  }

  /// The text truncated to a number of columns at a cluster's edge, with `…` if something was cut.
  package static func truncated(
    _ text: String, to columns: Int, repertoire: Repertoire = .unicode
  ) -> String {
    guard columns > 0 else { return "" }
    var result = ""
    var used = 0
    var lengthBeforeLast = 0
    let fits = forEachCluster(of: text, repertoire: repertoire) { cluster in
      guard used + cluster.width <= columns else { return false }
      if used + cluster.width <= columns - 1 || used == 0 { lengthBeforeLast = result.utf8.count }
      cluster.first.appendText(to: &result)
      for cell in cluster.rest { cell.appendText(to: &result) }
      used += cluster.width
      if used <= columns - 1 { lengthBeforeLast = result.utf8.count }
      return true
    }
    if fits { return result }
    let kept = String(decoding: result.utf8.prefix(lengthBeforeLast), as: UTF8.self)
    return kept + (repertoire == .ascii ? "~" : "…")
  }

  /// Bytes that are meant to be UTF-8; each maximal wrong part becomes U+FFFD.
  package static func decode(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }
}
