import TerminalUI

/// Words over several lines.
enum TextWrap {
  /// The lines of a text that are no wider than so many columns; a word that is wider is cut.
  static func lines(_ text: String, width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if SafeText.width(of: longer) <= width {
        line = longer
      } else {
        if !line.isEmpty { lines.append(line) }
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
