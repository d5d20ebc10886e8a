/// Texts of payloads as they may stand in a line of a log.
///
/// A log is read in terminals and by programs that take it apart at ends of lines, and a payload's texts are anybody's.
enum LogText {
  /// Maximum characters of a text that are kept.
  static let limit = 200

  /// The text with a visible mark for every sign that is none, cut where it is too long.
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
