import TerminalUI

/// `mistertop info`: the version and every path in use.
package struct Info: Sendable {
  let surroundings: Surroundings

  package init(surroundings: Surroundings) {
    self.surroundings = surroundings
  }

  /// Prints the report.
  package func run(console: Console) -> ExitCode {
    let store = surroundings.defaultStore
    let rows = [
      ("version", CommandLineParser.version),
      ("store", store + (surroundings.exists(store) ? "" : " (not there yet)")),
      ("log", surroundings.logFile + (surroundings.exists(surroundings.logFile) ? "" : " (not there yet)")),
      ("crash reports", surroundings.reportFolder),
    ]
    for (name, value) in rows { console.write("\(name)\t\(SafeText.sanitized(value))\n") }
    return .fine
  }
}
