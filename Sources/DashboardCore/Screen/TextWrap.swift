import TerminalUI

/// Word wrapping.
package enum TextWrap {
  /// The lines of a text with a maximum width in columns; a wider word is truncated.
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

  /// The words of a text; a number with digit groups, such as `1 770`, is one word.
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
