import Essentials
import TerminalUI

extension Console {
  /// The process's own standard output and standard error.
  ///
  /// Standard error shows names from files and command lines, so each line is sanitized. A reader that goes away
  /// (`| head`) ends the program by signal, as it ends any filter.
  package static let standard = Console(
    isTerminal: isatty(STDOUT_FILENO) != 0,
    write: { writeOutput(Data($0.utf8)) },
    writeBytes: { writeOutput(Data($0)) },
    writeError: writeError,
    showProgress: isatty(STDERR_FILENO) != 0 ? writeRaw : nil)

  private static func writeOutput(_ data: Data) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      writeError("mistertop: cannot write the output: \(error.localizedDescription)")
      exit(ExitCode.failed.rawValue)
    }
  }

  private static func writeError(_ line: String) {
    writeRaw(SafeText.sanitized(line) + "\n")
  }

  private static func writeRaw(_ text: String) {
    // Nothing is left to report to if standard error is closed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
