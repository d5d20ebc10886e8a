import TerminalUI

/// `mistertop info`: the version and every path in use.
package enum InfoCommand: Command {
  package static let name = "info"
  package static let operands = ""
  package static let summary = "Prints the version and all paths in use."

  /// Nothing to choose.
  package struct Request: Sendable, Equatable {}

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands()
    return Request()
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    let environment = context.environment
    let store = environment.defaultStore
    let log = environment.logFile
    let rows = [
      ("version", ProcessEnvironment.version),
      ("store", store + (environment.exists(store) ? "" : " (does not exist yet)")),
      ("log", log.isEmpty || environment.exists(log) ? log : log + " (does not exist yet)"),
      ("crash reports", environment.reportFolder),
    ]
    for (name, value) in rows {
      let text = value.isEmpty ? "none: this account has no home folder" : SafeText.sanitized(value)
      context.console.write("\(name)\t\(text)\n")
    }
    return .success
  }
}
