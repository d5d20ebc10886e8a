import Codecs

/// Texts as JSON5 writes them.
package enum JSON5Text {
  /// A text between quotes.
  ///
  /// Invisible characters are escaped; a character 0, which no reader takes, becomes U+FFFD.
  package static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\0": return "\\ufffd"
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      return Character(scalar).utf16.map { "\\u" + Hexadecimal.text($0) }.joined()
    default: return String(scalar)
    }
  }

  /// The same text in several lines, broken behind spaces, the first one after a margin of so many columns.
  package static func wrapped(_ quoted: String, width: Int, margin: Int) -> String {
    var result = ""
    var column = margin
    for word in quoted.split(separator: " ", omittingEmptySubsequences: false) {
      // The space before the word and the backslash behind the line.
      if !result.isEmpty {
        result += " "
        column += 1
        if column + word.count >= width {
          result += "\\\n"
          column = 0
        }
      }
      result += word
      column += word.count
    }
    return result
  }
}
