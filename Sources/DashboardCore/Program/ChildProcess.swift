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
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDWR, 0) }
    if isSilent {
      for stream in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
      }
    }
    // The child must not inherit the signals that this program ignores while it waits.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGTSTP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | (isSilent ? Int16(POSIX_SPAWN_SETPGROUP) : 0))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var surroundings: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.name)=\($0.value)") } + inherited(without: variables.map(\.name)) + [nil]
    defer { for word in words + surroundings { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, arguments[0], &actions, &attributes, &words, &surroundings) == 0 else {
      return nil
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }

  /// True if an environment entry is a variable with one of these names.
  ///
  /// Bytewise: an equals sign with a combining mark is another character, but still ends the name.
  static func isVariable(_ entry: String, among names: [String]) -> Bool {
    names.contains { entry.hasBytePrefix($0 + "=") }
  }

  /// Copies of this program's variables.
  private static func inherited(without names: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if !isVariable(text, among: names) { copies.append(strdup(entry)) }
      place += 1
    }
    return copies
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
