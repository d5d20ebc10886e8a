import Foundation
import TerminalUI

extension Console {
  /// The process's own standard output and standard error.
  ///
  /// What goes to standard error holds names from files and command lines, so it is made harmless line by line. A
  /// reader that has gone away (`| head`) ends the program by signal, as it ends every filter.
  package static let standard = Console(
    isTerminal: isatty(STDOUT_FILENO) != 0,
    write: { writeOutput(Data($0.utf8)) },
    writeBytes: { writeOutput(Data($0)) },
    complain: writeError,
    showProgress: isatty(STDERR_FILENO) != 0 ? writeRaw : nil)

  private static func writeOutput(_ data: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      writeError("mistertop: the output cannot be written: \(error.localizedDescription)")
      exit(ExitCode.failed.rawValue)
    }
  }

  private static func writeError(_ line: String) {
    writeRaw(SafeText.sanitized(line) + "\n")
  }

  private static func writeRaw(_ text: String) {
    // Nowhere is left to say that standard error is closed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
