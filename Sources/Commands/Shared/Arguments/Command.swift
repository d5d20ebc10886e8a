/// One command of the program: its name, its arguments, and its work.
///
/// A command is one type in one folder, and one line in ``CommandList``:
///
/// ```swift
/// enum EchoCommand: Command {
///   static let name = "echo"
///   static let operands = "TEXT…"
///   static let summary = "Prints TEXT."
///   static let examples = [CommandExample("mistertop echo Hello", "print one word")]
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
  /// Two command lines for the help and the manual.
  static var examples: [CommandExample] { get }
  /// The exit codes with a meaning; those of success, failure and wrong usage by default.
  static var exitCodes: [ExitCode] { get }
  /// True if an operand may be the address of a server; false by default.
  static var readsServers: Bool { get }

  /// True if the command runs where the environment has a problem, because it depends on none of it; false by default.
  static var isIndependent: Bool { get }
  /// The values that a shell offers for an operand, by its place; by default files, where the usage names them.
  static func completion(ofOperand place: Int) -> Completion

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
  package static var isIndependent: Bool { false }
  package static var exitCodes: [ExitCode] { [.success, .failed, .wrongUsage] }
  package static func completion(ofOperand place: Int) -> Completion {
    operands.contains("FILE") ? .files : .nothing
  }

  /// The prefix of the command's messages.
  static var title: String { name.isEmpty ? "mistertop" : "mistertop " + name }

  /// The name of the command's manual page.
  static var manualName: String { name.isEmpty ? "mistertop" : "mistertop-" + name }

  /// The options, with those that every command has.
  static var allOptions: [CommandOption] { options + (name.isEmpty ? [.help, .version] : [.help]) }
}

/// A command line and its purpose.
package struct CommandExample: Sendable, Equatable {
  let line: String
  /// A short description without a period.
  let purpose: String

  init(_ line: String, _ purpose: String) {
    (self.line, self.purpose) = (line, purpose)
  }
}
