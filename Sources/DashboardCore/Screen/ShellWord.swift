import Platform
import TerminalUI

/// A word as a shell reads it.
package enum ShellWord {
  /// The word in one line, in quotes where it needs them.
  ///
  /// Characters a terminal would obey or hide are written as `"$(printf '\\ooo')"`, which strips trailing line ends;
  /// so is a backslash, which ends no quotes except in fish, and an exclamation mark, which csh looks for within
  /// them. The intended shells are those of POSIX (sh, dash, bash, zsh, ksh) and fish; csh knows no such form, and
  /// runs nothing of it.
  ///
  /// - Returns: `nil` for a word that ends in one, or holds a zero byte, which no shell passes on.
  package static func quoted(_ word: String) -> String? {
    let scalars = word.unicodeScalars
    guard scalars.contains(where: { SafeText.columns(of: $0) == nil || $0 == "\\" || $0 == "!" }) else {
      return inQuotes(word)
    }
    guard scalars.last != "\n", !scalars.contains("\0") else { return nil }
    var format = ""
    for (place, scalar) in scalars.enumerated() {
      switch scalar {
      case "%": format += "%%"
      case "\\", "'", "!": format += octal(scalar)
      // No option of `printf`.
      case "-" where place == 0: format += octal(scalar)
      default:
        if SafeText.columns(of: scalar) == nil {
          format += octal(scalar)
        } else {
          format.unicodeScalars.append(scalar)
        }
      }
    }
    return "\"$(printf '\(format)')\""
  }

  /// The word as it is shown to a person: as ``quoted(_:)``, with what may not be drawn left to whoever draws it.
  package static func shown(_ word: String) -> String {
    let isDrawn = word.unicodeScalars.allSatisfy { SafeText.columns(of: $0) != nil }
    return isDrawn ? quoted(word) ?? inQuotes(word) : inQuotes(word)
  }

  private static func inQuotes(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || signs.contains($0))
    }
    // zsh takes `=name` for the place of a command.
    guard !isPlain || word.isEmpty || word.utf8.first == UInt8(ascii: "=") else { return word }
    // Scalars: a quote that a mark stands on is another character, and for a shell still the end of the word.
    var quoted = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: "'\\''".unicodeScalars) } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }

  /// The name of a file as no program takes it for an option; `-` stays standard input.
  package static func operand(_ file: String) -> String {
    file.utf8.first == UInt8(ascii: "-") && file != "-" ? "./" + file : file
  }

  private static func octal(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// Characters that need no quotes, besides letters and digits.
  private static let signs = Set("-_./=:,+@".unicodeScalars)
}

extension Session {
  /// The files as a command line names them.
  package var files: [String] { operands.isEmpty ? shown.status.sources : operands }

  /// True if one of the files was found in a folder under a name that is not valid UTF-8.
  ///
  /// The shown form of such a name is that of no file, or of another one.
  package var hasUnsayableFile: Bool {
    shown.status.unreadFiles > 0 && files.contains(where: PathParts.isRepaired)
  }
}
