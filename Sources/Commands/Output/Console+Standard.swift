import Foundation
import TerminalUI

extension Console {
  /// The process's own standard output and standard error.
  ///
  /// What goes to standard error holds names from files and command lines, so it is made harmless line by line. A
  /// reader that has gone away (`| head`) ends the program by signal, as it ends every filter.
  package static let standard = Console(
    isTerminal: isatty(STDOUT_FILENO) != 0,
    write: { text in
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      } catch {
        writeError("mistertop: the output cannot be written: \(error.localizedDescription)")
        exit(ExitCode.failed.rawValue)
      }
    },
    complain: writeError)

  private static func writeError(_ line: String) {
    // Nowhere is left to say that standard error is closed.
    try? FileHandle.standardError.write(contentsOf: Data((SafeText.sanitized(line) + "\n").utf8))
  }
}
