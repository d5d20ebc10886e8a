/// One command of the program: its name, its arguments, and its work.
///
/// A command is one type in one folder, and one line in ``CommandList``:
///
/// ```swift
/// enum EchoCommand: Command {
///   static let name = "echo"
///   static let operands = "TEXT…"
///   static let summary = "Prints TEXT."
///
///   static func request(from arguments: Arguments) throws(UsageError) -> [String] { arguments.operands }
///
///   static func run(_ request: [String], in context: CommandContext) -> ExitCode {
///     context.console.write(request.joined(separator: " ") + "\n")
///     return .success
///   }
/// }
/// ```
package protocol Command: Sendable {
  /// The parsed arguments, as a value: everything that `run` needs to know.
  associatedtype Request: Sendable, Equatable

  /// The word on the command line; empty for the command that runs without one.
  static var name: String { get }
  /// The operands in the usage line, such as `[FILE]…`; empty for none.
  static var operands: String { get }
  /// The purpose of the command, one sentence for the help.
  static var summary: String { get }
  /// The options besides `--help`; none by default.
  static var options: [CommandOption] { get }
  /// True if an operand may be the address of a server; false by default.
  static var readsServers: Bool { get }

  /// Parses the arguments into a request, without doing any work.
  ///
  /// - Throws: `UsageError` for invalid arguments.
  static func request(from arguments: Arguments) throws(UsageError) -> Request

  /// Does the work.
  ///
  /// Runs on the main thread. A command that opens the terminal or handles signals relies on that, and on no other
  /// thread having been started before.
  @MainActor static func run(_ request: Request, in context: CommandContext) async -> ExitCode
}

extension Command {
  package static var options: [CommandOption] { [] }
  package static var readsServers: Bool { false }

  /// The prefix of the command's messages.
  static var title: String { name.isEmpty ? "mistertop" : "mistertop " + name }
}
