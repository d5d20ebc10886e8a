import Platform

/// The context in which a command runs.
package struct CommandContext: Sendable {
  package let console: Console
  package let environment: ProcessEnvironment
  package let host: any CommandHost

  package init(console: Console, environment: ProcessEnvironment, host: any CommandHost) {
    self.console = console
    self.environment = environment
    self.host = host
  }

  /// Starts the guard process with this account's report folder and log file.
  @MainActor
  func startGuard() {
    host.startGuard(
      version: packageVersion, reportFolder: environment.reportFolder,
      logFile: environment.logFile
    )
  }
}
