package import Essentials

/// Starts other programs.
package enum ChildProgram {
  /// A standard stream of a program, and what it is connected to.
  package enum Stream {
    /// A file opened for reading and writing.
    case file(String, for: Int32)
    /// An open descriptor of this program.
    case descriptor(Int32, for: Int32)
  }

  /// Starts a program; returns its number, or `nil` if it could not be started.
  ///
  /// - Parameters:
  ///   - arguments: The path of the program, then its arguments.
  ///   - isShielded: True to shield it from keyboard signals.
  ///   - variables: Additional environment variables.
  package static func start(
    _ arguments: [String], streams: [Stream], isShielded: Bool,
    variables: [(name: String, value: String)] = []
  ) -> pid_t? {
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
    for stream in streams {
      switch stream {
      case .file(let path, let number):
        posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      case .descriptor(let descriptor, let number):
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    // The child must not inherit the signals that this program ignores while it waits.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGTSTP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | (isShielded ? Int16(POSIX_SPAWN_SETPGROUP) : 0))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var surroundings: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.name)=\($0.value)") } + inherited(without: variables.map(\.name)) + [nil]
    defer { for word in words + surroundings { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, arguments[0], &actions, &attributes, &words, &surroundings) == 0 else {
      return nil
    }
    return process
  }

  /// Waits for the end of a program; returns its exit code, or `nil` if it was ended by a signal.
  @discardableResult
  package static func wait(for process: pid_t) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
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

  /// True if an environment entry is a variable with one of these names.
  ///
  /// Bytewise: an equals sign with a combining mark is another character, but still ends the name.
  package static func isVariable(_ entry: String, among names: [String]) -> Bool {
    names.contains { entry.hasBytePrefix($0 + "=") }
  }

  /// The path of an installed program; `nil` if no folder of `PATH` has it.
  ///
  /// Relative folders are left out: what lies in the current one is not trusted.
  package static func path(of name: String) -> String? {
    guard let folders = getenv("PATH").map({ String(cString: $0) }) else { return nil }
    return folders.split(separator: ":").lazy.map(String.init).filter(PathParts.isAbsolute)
      .map { PathParts.join($0, name) }
      .first { Posix.status(at: $0)?.kind == .regular && access($0, X_OK) == 0 }
  }
}
