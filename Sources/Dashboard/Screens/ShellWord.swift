/// A word as a shell reads it.
enum ShellWord {
  /// The word, in quotes where it needs them.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || signs.contains($0))
    }
    guard !isPlain || word.isEmpty else { return word }
    // Scalars: a quote that a mark stands on is another character, and for a shell still the end of the word.
    var quoted = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: "'\\''".unicodeScalars) } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }

  /// What needs no quotes beside letters and digits.
  private static let signs = Set("-_./=:,+@%".unicodeScalars)
}

extension Session {
  /// The files as a command line names them.
  var files: [String] { operands.isEmpty ? shown.status.sources : operands }
}
