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
  /// The request of the command line, as a value: everything that `run` needs to know.
  associatedtype Request: Sendable, Equatable

  /// The word on the command line; empty for the command that runs without one.
  static var name: String { get }
  /// The part after the options in the usage line, such as `[FILE]…`; empty for nothing.
  static var operands: String { get }
  /// The purpose of the command, in one sentence of the help.
  static var summary: String { get }
  /// The options it takes, besides `--help`; none unless declared.
  static var options: [CommandOption] { get }

  /// Parses the command line into a request, without doing any work.
  ///
  /// - Throws: `UsageError` for arguments that make no sense.
  static func request(from arguments: Arguments) throws(UsageError) -> Request

  /// Does the work.
  ///
  /// Runs on the main thread. A command that opens the terminal or handles signals relies on that, and on no other
  /// thread having been started before.
  @MainActor static func run(_ request: Request, in context: CommandContext) async -> ExitCode
}

extension Command {
  package static var options: [CommandOption] { [] }

  /// The name that starts the command's messages.
  static var title: String { name.isEmpty ? "mistertop" : "mistertop " + name }
}
