import Essentials
import Platform
import TerminalUI

extension Console {
  /// The process's own standard output and standard error.
  ///
  /// Standard error shows names from files and command lines, so each line is sanitized. If the reader goes away (`|
  /// head`), the program is ended by SIGPIPE, like any filter.
  package static let standard = Console(
    isTerminal: isatty(STDOUT_FILENO) != 0,
    write: { writeOutput(Array($0.utf8)) },
    writeBytes: { writeOutput(Array($0)) },
    writeError: writeError,
    showProgress: isatty(STDERR_FILENO) != 0 ? Posix.writeError : nil)

  private static func writeOutput(_ bytes: [UInt8]) {
    do throws(FileFailure) {
      try bytes.withTypedBytes { bytes throws(FileFailure) in try Posix.write(bytes, to: STDOUT_FILENO) }
    } catch {
      let reason = error == .other(EBADF) ? "standard output is closed" : error.text
      writeError("mistertop: cannot write the output: \(reason)")
      exit(ExitCode.failed.rawValue)
    }
  }

  private static func writeError(_ line: String) {
    Posix.writeError(SafeText.sanitized(line) + "\n")
  }
}
