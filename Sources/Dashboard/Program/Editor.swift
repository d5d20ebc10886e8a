#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The person's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
enum Editor {
  /// Shows a line of a file and waits for the editor's end.
  ///
  /// What the variable holds is given to a shell, as everybody does it: it may have arguments. The path is never part of
  /// the shell's text.
  ///
  /// - Returns: why that could not be, in a sentence; `nil` when it could.
  static func show(_ path: String, _ line: Int) -> String? {
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap(variable).first ?? "vi"
    // A path that begins with a sign would be taken for an option.
    let safePath = path.hasPrefix("-") || path.hasPrefix("+") ? "./" + path : path
    let arguments = ["/bin/sh", "-c", "\(editor) \"$@\"", editor, "+\(max(1, line))", safePath]
    guard let status = run(arguments) else { return "\(editor) could not be started" }
    // By the shell's convention: not found, or not to be run.
    return status == 126 || status == 127 ? "\(editor) could not be started: set $EDITOR" : nil
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Runs a program on the terminal; its exit code, `nil` when it could not be started or was ended by a signal.
  private static func run(_ arguments: [String]) -> Int32? {
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
    // Samples may come through standard input; the editor wants keys.
    if isatty(STDIN_FILENO) == 0 {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/tty", O_RDWR, 0)
    }
    // What this program ignores while it waits the other one must not ignore as well.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGTSTP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, arguments[0], &actions, &attributes, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
