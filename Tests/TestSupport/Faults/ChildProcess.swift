package import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program started by a test, which can be killed at any time.
///
/// Not Foundation's `Process`: on Linux, that takes a child for alive while any of the child's own children holds its
/// streams, and it passes on the signal mask of the test's thread.
package final class ChildProcess: @unchecked Sendable {
  // Safe: `ending` is accessed only under the lock.

  /// The way a process ended.
  package enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(Int32)
  }

  /// The standard input of a child.
  package enum Input: Sendable {
    case nothing
    case file(String)
    /// A pipe that is closed when this value is released or the test ends.
    case untilForgotten
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// The process ID.
  package let identifier: pid_t

  private let lock = NSLock()
  private var ending: Ending?
  private let heldInput: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: A path, or a name to be found in `PATH`.
  ///   - arguments: The arguments without the program's name.
  ///   - environment: Additions to the environment of the test.
  ///   - input: The standard input.
  ///   - output: The file to which output and errors are appended; `nil` for none.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: Input = .nothing,
    output: String? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var pipe: [Int32] = [-1, -1]
    switch input {
    case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .file(let path): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    case .untilForgotten:
      guard Self.openPipe(&pipe) else { throw Failure(description: "no pipe: error \(errno)") }
      posix_spawn_file_actions_adddup2(&actions, pipe[0], 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    defer { posix_spawn_file_actions_destroy(&actions) }
    heldInput = pipe[1] < 0 ? nil : pipe[1]
    defer { if pipe[0] >= 0 { close(pipe[0]) } }
    let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    identifier = try Self.spawn(executable, arguments, settings, &actions)
  }

  /// Starts a program whose three streams are one descriptor, with exactly this environment.
  package init(
    _ executable: String, _ arguments: [String], on stream: Int32, environment: [String: String]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for number in Int32(0)...2 { posix_spawn_file_actions_adddup2(&actions, stream, number) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    heldInput = nil
    identifier = try Self.spawn(executable, arguments, environment, &actions)
  }

  deinit {
    if let heldInput { close(heldInput) }
    if ending == nil {
      _ = Self.send(SIGKILL, to: identifier)
      _ = wait()
    }
  }

  /// Sends a signal, unless the process has been waited for.
  package func send(_ signal: Int32) {
    lock.withLock { if ending == nil { _ = Self.send(signal, to: identifier) } }
  }

  /// Kills the process (SIGKILL) and waits for it to end.
  @discardableResult
  package func kill() -> Ending {
    send(SIGKILL)
    return wait()
  }

  /// Waits for the process to end.
  @discardableResult
  package func wait() -> Ending {
    lock.withLock { reap(options: 0) ?? .exited(-1) }
  }

  /// True if the process has not ended yet.
  package var isRunning: Bool {
    lock.withLock { reap(options: WNOHANG) == nil }
  }

  /// Waits for the process to end, up to a limit.
  ///
  /// - Returns: `nil` if it is still running.
  package func wait(upTo limit: Duration) -> Ending? {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let ending = lock.withLock({ reap(options: WNOHANG) }) { return ending }
      usleep(1_000)
    }
    return nil
  }

  /// The path of a program of this package.
  ///
  /// Taken from the folder `MISTERTOP_BUILD` (a release build, for `make soak` and `make release-check`), or else from
  /// beside the test bundle.
  ///
  /// - Throws: ``Failure`` if there is none.
  package static func program(_ name: String) throws -> String {
    if let build = ProcessInfo.processInfo.environment["MISTERTOP_BUILD"] {
      let candidate = "\(build)/\(name)"
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<6 {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
      folder = folder.deletingLastPathComponent()
    }
    throw Failure(description: "there is no \(name) beside \(CommandLine.arguments[0])")
  }

  /// True if a program is found in `PATH`.
  package static func isInstalled(_ name: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  /// Throws unless the running class of tests (`TESTS_MAY_START`) may start programs.
  private static func mayStart() throws {
    guard let allowed = ProcessInfo.processInfo.environment["TESTS_MAY_START"], allowed == "nothing" else {
      return
    }
    let words = "a test of a class that may start nothing wants a program; see Tests/suites"
    // A test may handle the failure as a result; the line is found nevertheless.
    FileHandle.standardOutput.write(Data("error: \(words)\n".utf8))
    throw Failure(description: words)
  }

  private func reap(options: Int32) -> Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    var found = waitpid(identifier, &status, options)
    while found < 0, errno == EINTR { found = waitpid(identifier, &status, options) }
    guard found != 0 else { return nil }
    ending = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    return ending
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    try mayStart()
    // Test threads block most signals; a child must not inherit that.
    var attributes = posix_spawnattr_t()
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var words = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      (words + variables).forEach { free($0) }
      posix_spawnattr_destroy(&attributes)
    }
    var process: pid_t = 0
    let fault = posix_spawnp(&process, executable, &actions, &attributes, &words, &variables)
    guard fault == 0 else { throw Failure(description: "\(executable) does not start: error \(fault)") }
    return process
  }

  private static func send(_ signal: Int32, to process: pid_t) -> Int32 {
    #if canImport(Darwin)
      Darwin.kill(process, signal)
    #else
      Glibc.kill(process, signal)
    #endif
  }

  private static func openPipe(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0 else { return false }
    return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
  }
}
