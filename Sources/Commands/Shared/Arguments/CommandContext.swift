/// The context a command works with.
package struct CommandContext: Sendable {
  package let console: Console
  package let environment: ProcessEnvironment
  package let host: any CommandHost

  package init(console: Console, environment: ProcessEnvironment, host: any CommandHost) {
    self.console = console
    self.environment = environment
    self.host = host
  }

  /// Starts the guard process, with the folders of this account for its report.
  @MainActor
  func startGuard() {
    host.startGuard(
      version: ProcessEnvironment.version, reportFolder: environment.reportFolder,
      logFile: environment.logFile
    )
  }
}
