import TerminalUI

/// Breaks text into lines between words.
enum WordWrap {
  /// Lines of a text of at most `width` columns; a longer word has a line of its own.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, SafeText.width(of: last) + SafeText.width(of: String(word)) < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Two columns of text, the second one wrapped; a first one that is too long for its column has a line of its own.
  static func table(_ rows: [(name: String, text: String)], width: Int) -> String {
    let longest = rows.map { SafeText.width(of: $0.name) }.max() ?? 0
    let column = min(longest + 4, max(6, width / 3))
    return rows.map { name, text in
      var lines = Self.lines(text, width: max(20, width - column)).map {
        String(repeating: " ", count: column) + $0
      }
      let isShort = SafeText.width(of: name) + 4 <= column
      if isShort, let first = lines.first {
        let rest = first.dropFirst(2 + name.count)
        lines[0] = "  " + name + rest
      } else {
        lines.insert("  " + name, at: 0)
      }
      return lines.map { $0 + "\n" }.joined()
    }.joined()
  }
}
