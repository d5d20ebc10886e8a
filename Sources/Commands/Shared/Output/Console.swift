import TerminalUI

/// The output streams of a command: those of the process, or those of a test.
package struct Console: Sendable {
  /// Writes text to standard output, newlines included; on a terminal, control characters are made visible.
  package var write: @Sendable (String) -> Void
  /// Writes bytes to standard output unchanged.
  package var writeBytes: @Sendable ([UInt8]) -> Void
  /// Writes one line to standard error; its newline is added.
  package var writeError: @Sendable (String) -> Void
  /// True if standard output is a terminal, which would interpret control sequences.
  package var isTerminal: Bool
  /// Writes transient text to the terminal of standard error; `nil` if it is not a terminal.
  package var showProgress: (@Sendable (String) -> Void)?

  package init(
    isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void,
    writeBytes: (@Sendable ([UInt8]) -> Void)? = nil, writeError: @escaping @Sendable (String) -> Void,
    showProgress: (@Sendable (String) -> Void)? = nil
  ) {
    self.isTerminal = isTerminal
    let writeHarmless: @Sendable (String) -> Void = { write(Self.harmless($0)) }
    self.write = isTerminal ? writeHarmless : write
    self.writeBytes = writeBytes ?? { write(String(decoding: $0, as: UTF8.self)) }
    self.showProgress = showProgress
    self.writeError = writeError
  }

  private static func harmless(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { SafeText.harmless(String($0.last == "\r" ? $0.dropLast() : $0)) }.joined(
      separator: "\n")
  }
}

/// The exit codes of the program.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  /// The work failed.
  case failed = 1
  /// The command line is invalid.
  case wrongUsage = 2
  /// A check has no answer.
  case unanswered = 3
  /// The user interrupted the program.
  case interrupted = 130
  /// The reader of the output is gone, as in `| head`.
  case readerGone = 141

  /// The meaning in a few words, for the help and the manual.
  package var meaning: String {
    switch self {
    case .success: "success"
    case .failed: "the work failed"
    case .wrongUsage: "wrong usage"
    case .unanswered: "no answer: too few payloads, no such version, an unreadable file"
    case .interrupted: "stopped by the user"
    case .readerGone: "the reader of the output is gone"
    }
  }

  /// Converts a number; an unknown one counts as a failure.
  package init(_ number: Int32) {
    self = ExitCode(rawValue: number) ?? .failed
  }
}
