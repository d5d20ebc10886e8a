/// Help texts, generated from the commands' declarations.
enum CommandHelp {
  /// Columns where the width of the output is unknown.
  static let columns = 80

  /// The help of one command.
  static func text(of command: any Command.Type, columns: Int) -> String {
    """
    \(paragraph("usage: " + usage(command), columns))
    \(paragraph(command.summary, columns))
    Options:
    \(table(of: command.allOptions, columns))
    \(end(of: command, columns))
    """
  }

  /// The help of the program as a whole.
  static func overview(of commands: [any Command.Type], columns: Int) -> String {
    let standard = CommandList.standard
    let rows = commands.map { (name: $0.name, text: $0.summary) }
    return """
      usage: \(usage(standard))
      \(paragraph("       mistertop COMMAND [OPTION]… [ARGUMENT]…", columns))
      \(paragraph("\(purpose) \(standard.summary)", columns))
      Commands (mistertop COMMAND --help explains each):
      \(WordWrap.table(rows, width: columns))
      Options:
      \(table(of: standard.allOptions, columns))
      \(end(of: standard, columns))
      """
  }

  /// The program in one sentence.
  static let purpose = "The terminal dashboard for MisterMetrics files."

  static func usage(_ command: any Command.Type) -> String {
    [command.title, "[OPTION]…", command.operands].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The examples, the exit codes and the name of the manual.
  private static func end(of command: any Command.Type, _ columns: Int) -> String {
    let codes = command.exitCodes.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
    let examples = command.examples.map {
      "  \($0.line)\n" + paragraph("      " + $0.purpose, columns)
    }
    return "Examples:\n" + examples.joined() + "\n"
      + paragraph("Exit codes: \(codes)", columns)
      + "Manual: \(command.manualName)(1), or: mistertop manual \(command.manualName) | man -l -\n"
  }

  /// Wrapped lines, each indented as the first one.
  private static func paragraph(_ text: String, _ columns: Int) -> String {
    let margin = String(text.prefix { $0 == " " })
    return WordWrap.lines(text, width: max(20, columns - margin.count)).map { margin + $0 + "\n" }.joined()
  }

  private static func table(of options: [CommandOption], _ columns: Int) -> String {
    WordWrap.table(options.map { ($0.title, $0.help) }, width: columns)
  }
}
