import TerminalUI

/// Words over several lines.
package enum TextWrap {
  /// The lines of a text that are no wider than a number of columns; a wider word is cut.
  package static func lines(_ text: String, width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in words(text) {
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

  /// The words of a text; the groups of digits of one number, `1 770`, are one.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      let isGroup = part.prefix(3).count == 3 && part.prefix(3).allSatisfy(\.isNumber)
      if isGroup, let last = words.last, last.last?.isNumber == true {
        words[words.count - 1] = last + " " + part
      } else {
        words.append(String(part))
      }
    }
    return words
  }
}
