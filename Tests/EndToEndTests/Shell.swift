import Foundation
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs programs and takes what they print.
enum Shell {
  /// The program under test: beside the test bundle, where the package manager puts both.
  static var program: String {
    get throws {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for _ in 0..<6 {
        let candidate = folder.appendingPathComponent("mistertop")
        if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
        folder = folder.deletingLastPathComponent()
      }
      throw Tmux.Failure(description: "there is no mistertop beside \(CommandLine.arguments[0])")
    }
  }

  /// Runs a program to its end.
  ///
  /// Not with Foundation's `Process`: on Linux it takes a child for alive while any of the child's own children, such as
  /// a tmux server, holds the streams it was given.
  static func run(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let (stdin, stdout) = (try folder.write(input, to: "in"), folder.path("out"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, stdin, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, stdout, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The threads that tests run on block most signals; a tmux server that inherited that could not even be ended.
    var attributes = posix_spawnattr_t()
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var words = ([executable] + arguments).map { strdup($0) } + [nil]
    let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      (words + variables).forEach { free($0) }
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var process: pid_t = 0
    let fault = posix_spawn(&process, executable, &actions, &attributes, &words, &variables)
    guard fault == 0 else { throw Tmux.Failure(description: "\(executable) does not start: error \(fault)") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: stdout)), as: UTF8.self)
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, output)
  }

  /// Runs mistertop without a terminal.
  static func mistertop(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) throws -> (status: Int32, output: String) {
    try run(
      program, arguments,
      environment: ["LC_ALL": "C.UTF-8", "MISTERTOP_STORE": "/nonexistent/metrics.jsonl"].merging(environment)
      { $1 },
      input: input)
  }
}
