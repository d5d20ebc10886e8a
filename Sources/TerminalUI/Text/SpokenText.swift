/// Text for screen readers: words for symbols, without graphics.
package enum SpokenText {
  private static let words: [Unicode.Scalar: String] = [
    "→": " to ", "×": " times", "±": " plus or minus ", "≥": " at least ", "≤": " at most ",
    "≠": " other than ",
    "Δ": "change", "∅": "silent", "⊘": "breaker", "⟳": "rotated", "│": "; ", "…": "...", "«": "\"", "»": "\"",
    "·": ", ", "↑": "up ", "↓": "down ", "‖": "frozen ", "●": "", "›": "", "µ": "µ",
  ]

  /// Replaces what cannot be spoken: arrows and other symbols by words; boxes, blocks and braille by nothing.
  package static func words(of text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if let word = words[scalar] {
        result += word
      } else if !isDrawing(scalar) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
      .replacing(" ;", with: ";").replacing(" ,", with: ",")
  }

  /// Arrows, box drawing, blocks, geometric shapes and braille.
  private static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2190...0x21FF, 0x2500...0x25FF, 0x2800...0x28FF: true
    default: false
    }
  }
}
