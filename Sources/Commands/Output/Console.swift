/// Where a command writes: the program's own streams, or a test's.
package struct Console: Sendable {
  /// Takes text for standard output, newlines included.
  package var write: @Sendable (String) -> Void
  /// Takes one line for standard error, without its newline.
  package var complain: @Sendable (String) -> Void
  /// Whether a terminal shows what is written, and would obey it.
  package var isTerminal: Bool

  package init(
    isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.write = write
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
