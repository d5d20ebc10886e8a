/// Runs the program, from its arguments to its exit code.
package enum CommandRunner {
  /// Runs the requested command, or reports what is wrong with the arguments.
  @MainActor
  package static func run(_ arguments: [String], in context: CommandContext) async -> ExitCode {
    let parser = CommandLineParser(environment: context.environment)
    do throws(UsageError) {
      switch try parser.parse(arguments) {
      case .text(let text):
        context.console.write(text)
        return .success
      case .command(let command):
        if !command.isIndependent, let problem = context.environment.problem {
          context.console.writeError("mistertop: \(problem)")
          return .wrongUsage
        }
        return await command.run(in: context)
      }
    } catch {
      let title = (parser.command(of: arguments) ?? CommandList.standard).title
      let joint = error.message.hasSuffix("?") ? " Try" : "; try"
      context.console.writeError("\(title): \(error.message)\(joint) \(title) --help")
      for line in error.picture { context.console.writeError("  " + line) }
      return .wrongUsage
    }
  }
}
