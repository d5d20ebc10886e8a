import History
import Platform
import TerminalUI

/// Quoting of shell words.
package enum ShellWord {
  /// The word on one line, quoted if necessary.
  ///
  /// Characters that a terminal would interpret or hide are written as `"$(printf '\\ooo')"`, which strips trailing
  /// line breaks. So is a backslash, which only fish treats specially in quotes, and an exclamation mark, which csh
  /// expands even there. The target shells are POSIX ones (sh, dash, bash, zsh, ksh) and fish; csh does not know this
  /// form, and runs nothing of it.
  ///
  /// - Returns: `nil` for a word that ends with a line break or contains a NUL byte, which no shell can pass.
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
      // Must not look like an option of `printf`.
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

  /// The word for display: as ``quoted(_:)``, with characters that cannot be drawn left to the caller.
  package static func shown(_ word: String) -> String {
    let isDrawn = word.unicodeScalars.allSatisfy { SafeText.columns(of: $0) != nil }
    return isDrawn ? quoted(word) ?? inQuotes(word) : inQuotes(word)
  }

  private static func inQuotes(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || signs.contains($0))
    }
    // zsh expands `=name` to the path of a command.
    guard !isPlain || word.isEmpty || word.utf8.first == UInt8(ascii: "=") else { return word }
    // Scalars: a quote with a combining mark is another character, but still ends the word for a shell.
    var quoted = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: "'\\''".unicodeScalars) } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }

  /// The name of a file as an operand that no program takes for an option; `-` stays standard input.
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
  /// The files as named on a command line.
  package var files: [String] { operands.isEmpty ? shown.status.sources.map(operand(ofSource:)) : operands }

  /// The files as named on a command line that draws what a screen shows: those of the host it is narrowed to.
  ///
  /// - Parameter isNarrowed: true for a screen that is narrowed to a host.
  func files(isNarrowed: Bool) -> [String] {
    guard isNarrowed, !shown.status.isRemote, let host = scope.host, let all = history.answer?.files
    else { return files }
    return zip(all, HostNames.hosts(ofFiles: all)).filter { $0.1 == host }.map { operand(ofSource: $0.0) }
  }

  /// The name of a source on a command line.
  package func operand(ofSource path: String) -> String { spooled[path] ?? path }

  /// True if one of the files was found in a folder under a name that is not valid UTF-8.
  ///
  /// The displayed form of such a name belongs to no file, or to another one.
  package var hasUnsayableFile: Bool {
    shown.status.unreadFiles > 0 && files.contains(where: PathParts.isRepaired)
  }
}
