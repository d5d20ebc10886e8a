import Codecs
package import Essentials

/// A scenario text's needs beyond Foundation's reader of JSON5.
package enum JSON5Text {
  private enum Place: Equatable {
    case code
    case text(quote: UInt8)
    case lineComment
    case blockComment
  }

  /// Joins the lines of a text that goes on in the next line after a backslash; Foundation would leave the line break in.
  ///
  /// Line breaks that are taken out of a text follow it, so that lines that a failure names are those of the file.
  package static func joined(_ text: String) -> Data {
    let bytes = Array(text.utf8)
    var result = Data(capacity: bytes.count)
    var place = Place.code
    var removed = 0
    var index = 0
    while index < bytes.count {
      if case .text = place, let length = continuation(bytes, at: index) {
        index += length
        removed += 1
        continue
      }
      let length = advance(&place, bytes, at: index)
      result.append(contentsOf: bytes[index..<index + length])
      index += length
      if place == .code && removed > 0 {
        result.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: removed))
        removed = 0
      }
    }
    return result
  }

  /// How long a backslash with a line break is that begins there.
  private static func continuation(_ bytes: [UInt8], at index: Int) -> Int? {
    guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return nil }
    if bytes[index + 1] == UInt8(ascii: "\n") { return 2 }
    guard bytes[index + 1] == UInt8(ascii: "\r") else { return nil }
    return index + 2 < bytes.count && bytes[index + 2] == UInt8(ascii: "\n") ? 3 : 2
  }

  /// Passes over what belongs together, at most two bytes, and returns how many they are.
  private static func advance(_ place: inout Place, _ bytes: [UInt8], at index: Int) -> Int {
    let byte = bytes[index]
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch (place, byte) {
    case (.code, UInt8(ascii: "\"")), (.code, UInt8(ascii: "'")): place = .text(quote: byte)
    case (.code, UInt8(ascii: "/")) where next == byte: place = .lineComment
    case (.code, UInt8(ascii: "/")) where next == UInt8(ascii: "*"):
      place = .blockComment
      return 2
    case (.text, UInt8(ascii: "\\")) where next != 0: return 2
    case (.text(let quote), _) where byte == quote: place = .code
    case (.lineComment, UInt8(ascii: "\n")), (.lineComment, UInt8(ascii: "\r")): place = .code
    case (.blockComment, UInt8(ascii: "*")) where next == UInt8(ascii: "/"):
      place = .code
      return 2
    default: break
    }
    return 1
  }

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
