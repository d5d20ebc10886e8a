import Codecs

/// Parses a command line and does nothing else.
package struct CommandLineParser: Sendable {
  private let environment: ProcessEnvironment
  private let commands: [any Command.Type]

  package init(environment: ProcessEnvironment, commands: [any Command.Type] = CommandList.named) {
    self.environment = environment
    self.commands = commands
  }

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: `UsageError` for arguments that cannot be parsed.
  package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    if arguments.first == Self.help { return .text(try help(on: arguments.dropFirst().first)) }
    guard let command = command(of: arguments) else {
      do throws(UsageError) {
        return try parse(arguments, for: CommandList.standard)
      } catch .unknownCommand(let name, _) {
        throw unknown(name)
      } catch {
        throw error
      }
    }
    return try parse(Array(arguments.dropFirst()), for: command)
  }

  private func unknown(_ name: String) -> UsageError {
    .unknownCommand(name, meant: Suggestion.closest(to: name, among: commands.map { $0.name }))
  }

  /// Accepted besides `--help`, as in many other programs.
  private static let help = "help"

  private var columns: Int { environment.columns ?? CommandHelp.columns }

  /// The help of one command, or of all.
  private func help(on topic: String?) throws(UsageError) -> String {
    guard let topic, topic != Self.help, !topic.hasPrefix("-") else {
      return CommandHelp.overview(of: commands, columns: columns)
    }
    guard let command = command(of: [topic]) else { throw unknown(topic) }
    return CommandHelp.text(of: command, columns: columns)
  }

  /// The command named by the first argument; `nil` for the standard one.
  func command(of arguments: [String]) -> (any Command.Type)? {
    arguments.first.flatMap { name in commands.first { $0.name == name } }
  }

  private func parse<C: Command>(_ arguments: [String], for command: C.Type) throws(UsageError) -> Invocation
  {
    let isStandard = command.name.isEmpty
    let scanned = try OptionScanner.scan(arguments, options: command.allOptions)
    if scanned.has(.help) { return .text(try help(on: isStandard ? nil : command.name)) }
    if scanned.has(.version) { return .command(PreparedCommand(VersionCommand.self, .init())) }
    if !command.readsServers, scanned.operands.contains(where: ServerOperand.isMeant) {
      throw .readsNoServer
    }
    let request = try command.request(from: Arguments(scanned, environment: environment))
    return .command(PreparedCommand(command, request))
  }
}

/// A parsed command line.
package enum Invocation: Sendable {
  /// Print this text: the help.
  case text(String)
  case command(PreparedCommand)
}

/// A command bound to its request.
package struct PreparedCommand: Sendable {
  /// The request, of the type the command declares.
  package let request: any Sendable
  let isIndependent: Bool
  private let work: @MainActor @Sendable (CommandContext) async -> ExitCode

  init<C: Command>(_ command: C.Type, _ request: C.Request) {
    self.request = request
    isIndependent = command.isIndependent
    work = { await command.run(request, in: $0) }
  }

  @MainActor
  package func run(in context: CommandContext) async -> ExitCode {
    await work(context)
  }
}
