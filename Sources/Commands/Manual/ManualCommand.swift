import Codecs

/// `mistertop manual [PAGE]`: a page of the manual as source of `man(7)`.
package enum ManualCommand: Command {
  package static let name = "manual"
  package static let operands = "[PAGE]"
  package static let summary = "Prints a page of the manual, for man -l -, or the names of all pages."
  package static let options = [list]
  package static let isIndependent = true
  package static let examples = [
    CommandExample(
      "mistertop manual mistertop-stats | man -l -", "read the page of stats without an installation"),
    CommandExample("mistertop manual mistertop.5 > mistertop.5", "the page on files and configuration"),
  ]

  private static let list = CommandOption("list", help: "print the names of all pages")

  package enum Request: Sendable, Equatable {
    case names
    /// - Parameter date: The day that the page names.
    case page(String, date: String)
  }

  package static func completion(ofOperand place: Int) -> Completion {
    place == 0 ? .words(Manual(date: "").pages.map(\.fileName)) : .nothing
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands(after: arguments.has(list) ? 0 : 1)
    if arguments.has(list) { return .names }
    let name = arguments.operands.first ?? "mistertop"
    let date = ProgramVersion.date ?? ClockZone.utc.date(arguments.environment.now)
    let pages = Manual(date: date).pages
    guard let page = pages.first(where: { $0.fileName == name || $0.name == name }) else {
      throw .invalidValue(
        name, for: "the page",
        expected: "a name of mistertop manual --list"
          + Suggestion.question(about: name, among: pages.map(\.fileName)))
    }
    return .page(page.fileName, date: date)
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    switch request {
    case .names:
      for page in Manual(date: "").pages { context.console.write(page.fileName + "\n") }
    case .page(let name, let date):
      for page in Manual(date: date).pages where page.fileName == name { context.console.write(page.source) }
    }
    return .success
  }
}
