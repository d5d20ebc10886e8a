/// Where a command writes: the program's own streams, or a test's.
package struct Console: Sendable {
  /// Takes text for standard output, newlines included.
  package var write: @Sendable (String) -> Void
  /// Takes bytes for standard output as they are.
  package var writeBytes: @Sendable ([UInt8]) -> Void
  /// Takes one line for standard error, without its newline.
  package var complain: @Sendable (String) -> Void
  /// Whether a terminal shows what is written, and would obey it.
  package var isTerminal: Bool
  /// Takes what stands for a while on the terminal that shows standard error; `nil` where none does.
  package var showProgress: (@Sendable (String) -> Void)?

  package init(
    isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void,
    writeBytes: (@Sendable ([UInt8]) -> Void)? = nil, complain: @escaping @Sendable (String) -> Void,
    showProgress: (@Sendable (String) -> Void)? = nil
  ) {
    self.isTerminal = isTerminal
    self.write = write
    self.writeBytes = writeBytes ?? { write(String(decoding: $0, as: UTF8.self)) }
    self.showProgress = showProgress
    self.complain = complain
  }
}

/// How the program ends.
package enum ExitCode: Int32, Sendable {
  /// All went well.
  case fine = 0
  /// The work failed.
  case failed = 1
  /// The command line made no sense.
  case wrongUsage = 2
  /// The person interrupted it.
  case interrupted = 130
  /// Whoever read the output has gone away, as in `| head`.
  case readerGone = 141

  /// The code of a number; one that is none of these means that the work failed.
  package init(_ number: Int32) {
    self = ExitCode(rawValue: number) ?? .failed
  }
}
