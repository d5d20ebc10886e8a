import Essentials
import Platform

/// Starts another program and waits for it.
enum ChildProcess {
  /// The source of key presses: standard input may carry samples.
  static var keyboard: String? { isatty(STDIN_FILENO) == 0 ? "/dev/tty" : nil }

  /// Runs a program; returns its exit code, or `nil` if it could not be started or was ended by a signal.
  ///
  /// - Parameters:
  ///   - input: A file for its standard input, instead of this program's.
  ///   - isSilent: True to discard its output and shield it from keyboard signals.
  ///   - variables: Additional environment variables.
  static func run(
    _ arguments: [String], input: String? = nil, isSilent: Bool = false,
    variables: [(name: String, value: String)] = []
  ) -> Int32? {
    var streams = input.map { [ChildProgram.Stream.file($0, for: STDIN_FILENO)] } ?? []
    if isSilent { streams += [STDOUT_FILENO, STDERR_FILENO].map { .file("/dev/null", for: $0) } }
    let process = ChildProgram.start(arguments, streams: streams, isShielded: isSilent, variables: variables)
    return process.flatMap { ChildProgram.wait(for: $0) }
  }
}

/// The shell, for commands written by the user.
enum Shell {
  /// Starts the command of a limit; returns the reason for a failure, as a sentence.
  ///
  /// The shell starts another one in the background and exits at once: the screen is not blocked, and no process is
  /// left to wait for.
  static func start(_ command: LimitCommand) -> String? {
    let words = ["/bin/sh", "-c", "(eval \"$0\") &", command.text]
    let status = ChildProcess.run(
      words, input: "/dev/null", isSilent: true, variables: command.variables)
    return status == 0 ? nil : "The command of a limit could not be started"
  }
}
