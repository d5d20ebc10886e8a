import Essentials

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
enum Editor {
  /// Shows a line of a file in the editor and waits for its end.
  ///
  /// The variable's value is passed to a shell, as usual, because it may include arguments. The path is never part of
  /// the shell's text.
  ///
  /// - Returns: the reason for a failure, as a sentence; `nil` on success.
  static func show(_ path: String, _ line: Int) -> String? {
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap(variable).first ?? "vi"
    let arguments = ["/bin/sh", "-c", "\(editor) \"$@\"", editor, "+\(max(1, line))", operand(path)]
    guard let status = ChildProcess.run(arguments, input: ChildProcess.keyboard) else {
      return "\(editor) could not be started"
    }
    // The shell's convention: not found, or not executable.
    return status == 126 || status == 127 ? "\(editor) could not be started: set $EDITOR" : nil
  }

  /// A path that begins with a sign would be taken for an option; bytewise, as the editor sees it, whatever mark
  /// follows.
  static func operand(_ path: String) -> String {
    let signs = [UInt8(ascii: "-"), UInt8(ascii: "+")]
    return path.utf8.first.map(signs.contains) ?? false ? "./" + path : path
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
