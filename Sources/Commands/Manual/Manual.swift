import Codecs
import Dashboard
import JSONLines
import Platform

/// The pages of the manual, from the tables that parse and explain command lines.
struct Manual {
  private let date: String
  private let commands = CommandList.named

  /// - Parameter date: The day that the pages name.
  init(date: String) {
    self.date = date
  }

  var pages: [ManualPage] { [overview, files] + commands.map(page) }

  private func page(_ name: String, _ section: Int, _ purpose: String) -> ManualPage {
    ManualPage(name, section: section, purpose: purpose, date: date, version: ProgramVersion.number)
  }

  private func page(of command: any Command.Type) -> ManualPage {
    let purpose = command.summary.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
    var page = page(command.manualName, 1, purpose.prefix(1).lowercased() + purpose.dropFirst())
    page.synopsis([CommandHelp.usage(command)])
    page.heading("DESCRIPTION")
    page.paragraph(command.summary)
    page.options(of: command)
    page.ending(of: command, codes: command.exitCodes)
    page.see(["mistertop(1)", "mistertop(5)"])
    return page
  }

  private var overview: ManualPage {
    let standard = CommandList.standard
    var page = page("mistertop", 1, "a terminal dashboard for MisterMetrics files")
    page.synopsis([CommandHelp.usage(standard), "mistertop COMMAND [OPTION]… [ARGUMENT]…"])
    page.heading("DESCRIPTION")
    page.paragraph("\(CommandHelp.purpose) \(standard.summary)")
    page.paragraph(ManualText.operands)
    page.heading("COMMANDS")
    page.paragraph("Each has a page of its own, such as mistertop\u{2D}stats(1).")
    for command in commands { page.item(command.name, command.summary) }
    page.options(of: standard)
    page.heading("VALUES")
    for (name, text) in ManualText.values { page.item(name, text) }
    page.heading("KEYS")
    page.paragraph("Each with its action, the name of that action in mistertop(5), and its screens.")
    for entry in ActionCatalog.entries {
      page.item(
        entry.keyText.isEmpty ? "(none)" : entry.keyText,
        "\(entry.title) (\(entry.name): \(entry.screens.joined(separator: ", ")))")
    }
    page.heading("ENVIRONMENT")
    for (name, text) in ManualText.variables { page.item(name, text) }
    page.ending(of: standard, codes: ExitCode.allCases)
    page.see(commands.map { $0.manualName + "(1)" } + ["mistertop(5)"])
    return page
  }

  private var files: ManualPage {
    var page = page("mistertop", 5, "files and configuration of mistertop")
    page.heading("DESCRIPTION")
    page.paragraph(ManualText.metricsFile)
    page.example(ManualText.record)
    page.heading("FILES")
    page.paragraph("mistertop info prints the paths in use. Without a home folder nothing is kept.")
    for (path, text) in ManualText.files { page.item(path, text) }
    page.heading("CONFIGURATION")
    page.paragraph(ManualText.configuration)
    for (name, text) in Configuration.settings { page.item(name, text) }
    page.heading("LIMITS")
    page.paragraph("A limit has either a query in where, or a metric and a number.")
    for (name, text) in ConfigurationReader.limitMembers { page.item(name, text) }
    page.see(["mistertop(1)"])
    return page
  }
}

extension ManualPage {
  fileprivate mutating func options(of command: any Command.Type) {
    heading("OPTIONS")
    for option in command.allOptions { item(option.title, option.help) }
  }

  fileprivate mutating func ending(of command: any Command.Type, codes: [ExitCode]) {
    heading("EXIT STATUS")
    for code in codes { item(String(code.rawValue), code.meaning) }
    heading("EXAMPLES")
    for example in command.examples { self.example(example) }
  }

  fileprivate mutating func see(_ pages: [String]) {
    heading("SEE ALSO")
    paragraph(pages.joined(separator: ", "))
  }
}
