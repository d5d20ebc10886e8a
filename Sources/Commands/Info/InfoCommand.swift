import Dashboard
import Essentials
import Platform
import TerminalUI

/// `mistertop info`: the version, the terminal, and every path in use.
package enum InfoCommand: Command {
  package static let name = "info"
  package static let operands = ""
  package static let summary = "Prints the version, the terminal, the locale, and all paths in use."

  package static let examples = [
    CommandExample(
      "mistertop info",
      "the version, the terminal and all paths in use"),
    CommandExample(
      "mistertop info --keys",
      "the names of all actions with their default keys"),
  ]
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
    let rows =
      [("version", ProgramVersion.number)] + VersionCommand.facts(context.host)
      + TerminalReport.rows(in: context)
      + paths(context.environment).map {
        ($0, $1.isEmpty ? "none: this account has no home folder" : $1 + state(of: $1))
      }
    for (name, value) in rows { context.console.write("\(name)\t\(SafeText.sanitized(value))\n") }
    return .success
  }

  private static func paths(_ environment: ProcessEnvironment) -> [(name: String, path: String)] {
    [
      ("store", environment.defaultStore), ("configuration", environment.configurationFile),
      ("indexes", environment.indexFolder ?? environment.cacheFolder), ("notes", environment.notesFolder),
      ("events to send", environment.dataFolder + "/mistertop/send"), ("log", environment.logFile),
      ("crash reports", environment.reportFolder),
    ]
  }

  /// The state of a path in parentheses: if it exists, and if it may be written or created.
  private static func state(of path: String) -> String {
    if access(path, F_OK) == 0 {
      return access(path, W_OK) == 0 ? " (can be written)" : " (cannot be written)"
    }
    var folder = path
    while access(folder, F_OK) != 0, folder.contains("/") { folder = PathParts(folder).directory }
    return
      " (does not exist yet\(access(folder.isEmpty ? "/" : folder, W_OK) == 0 ? "" : ", and cannot be created"))"
  }
}
