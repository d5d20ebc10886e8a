import Essentials
import Platform

/// Another program that this one starts and waits for.
enum ChildProcess {
  /// Where keys come from: samples may come through standard input.
  static var keyboard: String? { isatty(STDIN_FILENO) == 0 ? "/dev/tty" : nil }

  /// Runs a program; its exit code, `nil` when it could not be started or was ended by a signal.
  ///
  /// - Parameters:
  ///   - input: What it reads instead of this program's standard input.
  ///   - isSilent: Whether its output goes nowhere, and signals of the keyboard do not reach it.
  ///   - variables: What it finds in its environment beside what this program has.
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
    // Signals this program ignores while it waits must not be ignored by the child.
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

  /// True if an entry of an environment is a variable of one of these names.
  ///
  /// By bytes: an equals sign that a mark stands on is another character, and ends the name all the same.
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

/// The shell, for commands that a person has written down.
enum Shell {
  /// Starts the command of a limit; why that could not be, in a sentence.
  ///
  /// The shell that is waited for only starts another one behind itself and ends at once: nothing holds up the screen,
  /// and nothing is left to be waited for.
  static func start(_ command: LimitCommand) -> String? {
    let words = ["/bin/sh", "-c", "(eval \"$0\") &", command.text]
    let status = ChildProcess.run(
      words, input: "/dev/null", isSilent: true, variables: command.variables)
    return status == 0 ? nil : "The command of a limit could not be started"
  }
}
