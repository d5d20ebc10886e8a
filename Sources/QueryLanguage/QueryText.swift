/// Makes foreign text safe to show in messages.
enum QueryText {
  /// The text with a question mark for everything that a terminal might interpret or hide.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { !isPlain($0) }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isPlain(scalar) ? scalar : "?") }
    return String(result)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
