import Codecs

/// Formats text as JSON5.
package enum JSON5Text {
  /// A quoted string.
  ///
  /// Invisible characters are escaped; NUL, which no reader accepts, becomes U+FFFD.
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

  /// The same string over several lines, broken after spaces; the first line starts after a margin of that many columns.
  package static func wrapped(_ quoted: String, width: Int, margin: Int) -> String {
    var result = ""
    var column = margin
    for word in quoted.split(separator: " ", omittingEmptySubsequences: false) {
      // Room for the space before the word and the backslash at the end of the line.
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
