/// Texts of payloads made safe for a line of a log.
///
/// Logs are read in terminals and split into lines by programs, and the texts of a payload are untrusted.
enum LogText {
  /// Maximum characters kept of a text.
  static let limit = 200

  /// The text with a visible mark in place of every unprintable character, truncated if too long.
  static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else {
        result.append("…")
        break
      }
      result.append(isVisible(scalar) ? scalar : "\u{FFFD}")
      count += 1
    }
    return String(result)
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
