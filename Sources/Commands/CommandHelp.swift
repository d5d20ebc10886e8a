/// Help texts, generated from the commands' declarations.
enum CommandHelp {
  /// The help of one command.
  static func text(of command: any Command.Type) -> String {
    """
    usage: \(usage(command))

    \(command.summary)

    Options:
    \(table(of: command.options + [.help]))
    """
  }

  /// The help of the program as a whole.
  static func overview(of commands: [any Command.Type]) -> String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let rows = commands.map { "  " + $0.name.padding(toLength: width + 2) + $0.summary + "\n" }
    let standard = CommandList.standard
    return """
      usage: \(usage(standard))
             mistertop COMMAND [OPTION]… [ARGUMENT]…

      The terminal dashboard for MisterMetrics files. \(standard.summary)

      Commands (mistertop COMMAND --help explains each):
      \(rows.joined())
      Options:
      \(table(of: standard.options + [.help, .version]))
      """
  }

  private static func usage(_ command: any Command.Type) -> String {
    [command.title, "[OPTION]…", command.operands].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func table(of options: [CommandOption]) -> String {
    let names = options.map {
      ($0.letter.map { "-\($0), " } ?? "") + "--" + $0.name + ($0.value.map { "=" + $0 } ?? "")
    }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).map { "  " + $0.padding(toLength: width + 2) + $1.help + "\n" }.joined()
  }
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, length - count))
  }
}
