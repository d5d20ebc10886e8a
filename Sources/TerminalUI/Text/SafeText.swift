/// The allowlist of drawable text, with its width.
///
/// A terminal interprets its input, so data must never reach it raw. Everything other than a plain visible character is
/// shown as one replacement mark: control characters, invisible and direction-changing characters, private and
/// unassigned code points, combining marks without a base.
package enum SafeText {
  /// A user-perceived character: one cell, or several if libc gives its parts columns of their own.
  struct Cluster {
    var first: Cell
    var rest: [Cell] = []
    var width: Int

    init(_ cell: Cell) {
      first = cell
      width = cell.width
    }
  }

  /// The replacement mark for anything that must not be drawn.
  package static func mark(_ repertoire: Repertoire) -> Unicode.Scalar {
    repertoire.hasSigns ? "\u{FFFD}" : "?"
  }

  /// Calls `body` with each cluster in order until it returns false; true if all were processed.
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

  /// Width of the text in columns when drawn.
  package static func width(of text: String, repertoire: Repertoire = .unicode) -> Int {
    if isSimple(text, repertoire: repertoire) { return text.unicodeScalars.count }
    return text.reduce(0) { $0 + cluster(of: $1, repertoire: repertoire).width }
  }

  /// The text as drawn: every unsafe character is replaced by the mark.
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

  /// Joins cells into a table row with tabs between them and none inside, so that data cannot add columns.
  package static func row(_ cells: [String], repertoire: Repertoire = .unicode) -> String {
    cells.map { sanitized($0, repertoire: repertoire) }.joined(separator: "\t")
  }

  /// A line that may leave the program via the clipboard: as ``sanitized(_:repertoire:)``, with tabs between columns.
  package static func harmless(_ line: String) -> String {
    let columns = line.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
    return columns.map { sanitized(String($0)) }.joined(separator: "\t")
  }

  /// The text truncated to a number of columns between clusters, with `…` if something was cut.
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
    return kept + (repertoire.hasSigns ? "…" : "~")
  }

  /// Decodes bytes that should be UTF-8; each maximal invalid part becomes U+FFFD.
  package static func decode(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }
}
