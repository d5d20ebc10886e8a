import CSQLite
import CZlib
import HTTPClient
import TerminalUI

/// `mistertop version`: the version, the build, and the libraries in use.
package enum VersionCommand: Command {
  package static let name = "version"
  package static let operands = ""
  package static let summary =
    "Prints the version, its commit, and the versions of Swift and of the libraries in use."
  package static let isIndependent = true
  package static let examples = [
    CommandExample("mistertop version", "what a report of a problem needs"),
    CommandExample("mistertop info", "the terminal and all paths besides"),
  ]

  package struct Request: Sendable, Equatable {}

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands()
    return Request()
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    context.console.write("mistertop \(ProgramVersion.number)\n")
    for (name, value) in facts(context.host) { context.console.write("\(name) \(value)\n") }
    return .success
  }

  /// The build and the libraries, each with its version.
  @MainActor static func facts(_ host: any CommandHost) -> [(name: String, value: String)] {
    let commit = ProgramVersion.commit.map { "\($0), \(ProgramVersion.date ?? "")" }
    var facts = [
      ("commit", commit ?? "unknown: not built by make"),
      ("Swift", ProgramVersion.swift ?? "unknown: not built by make"),
      ("ncurses", host.screenLibrary), ("zlib", String(cString: zlibVersion())),
      ("SQLite", String(cString: sqlite3_libversion())),
    ]
    #if os(Linux)
      facts.append(("libcurl", CurlHandle.version ?? "none: needed to send events and to ask servers"))
    #endif
    return facts
  }
}
