import Dashboard
import DashboardCore
import TerminalUI

/// `mistertop info`: the version and every path in use.
package enum InfoCommand: Command {
  package static let name = "info"
  package static let operands = ""
  package static let summary = "Prints the version and all paths in use."

  package static let options = [keys]

  private static let keys = CommandOption(
    "keys", help: "print the names of all actions with their default keys")

  package struct Request: Sendable, Equatable {
    /// True to print the key bindings instead of the paths.
    package var listsKeys = false
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands()
    return Request(listsKeys: arguments.has(keys))
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    if request.listsKeys {
      for entry in ActionCatalog.entries {
        context.console.write(
          "\(entry.name)\t\(entry.keyText)\t\(entry.screens.joined(separator: " "))\t\(entry.title)\n")
      }
      return .success
    }
    let environment = context.environment
    let store = environment.defaultStore
    let log = environment.logFile
    let config = environment.configurationFile
    let rows = [
      ("version", ProcessEnvironment.version),
      ("store", store + (environment.exists(store) ? "" : " (does not exist yet)")),
      ("log", log.isEmpty || environment.exists(log) ? log : log + " (does not exist yet)"),
      ("crash reports", environment.reportFolder),
      (
        "configuration",
        config.isEmpty || environment.exists(config) ? config : config + " (does not exist yet)"
      ),
    ]
    for (name, value) in rows {
      let text = value.isEmpty ? "none: this account has no home folder" : SafeText.sanitized(value)
      context.console.write("\(name)\t\(text)\n")
    }
    return .success
  }
}
