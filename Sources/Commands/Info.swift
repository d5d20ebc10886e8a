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
    let log = surroundings.logFile
    let rows = [
      ("version", CommandLineParser.version),
      ("store", store + (surroundings.exists(store) ? "" : " (not there yet)")),
      ("log", log.isEmpty || surroundings.exists(log) ? log : log + " (not there yet)"),
      ("crash reports", surroundings.reportFolder),
    ]
    for (name, value) in rows {
      console.write(
        "\(name)\t\(value.isEmpty ? "nowhere; there is no home folder" : SafeText.sanitized(value))\n")
    }
    return .fine
  }
}
