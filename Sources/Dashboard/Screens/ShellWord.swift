/// A word as a shell reads it.
enum ShellWord {
  /// The word, in quotes where it needs them.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,+@%".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

extension Session {
  /// The files as a command line names them.
  var files: [String] { operands.isEmpty ? shown.status.sources : operands }
}
