package import TerminalUI

/// The services only the executable can provide to a command: everything behind the ncurses modules.
@MainActor
package protocol CommandHost: Sendable {
  /// Starts the process that restores the terminal, and reports the crash, whatever ends this one.
  ///
  /// Must be called before any thread exists.
  func startGuard(version: String, reportFolder: String, logFile: String)

  /// Names a folder for the guard to remove if this process dies before it can.
  func setCleanupFolder(_ path: String)

  /// Takes over the terminal of this process.
  ///
  /// - Parameter environment: The variables that describe the terminal.
  func openTerminal(environment: [String: String]) throws(TerminalUnavailable) -> HostTerminal
}

/// A terminal taken over by ``CommandHost``; `close` gives it back.
package struct HostTerminal {
  package let backend: any TerminalBackend
  package let capabilities: Capabilities

  package init(backend: any TerminalBackend, capabilities: Capabilities) {
    self.backend = backend
    self.capabilities = capabilities
  }
}

/// Why there is no terminal to draw on.
package struct TerminalUnavailable: Error, Equatable {
  /// One line for the user.
  package let message: String
  /// True if input or output is redirected, rather than the terminal being unfit.
  package let isRedirected: Bool

  package init(message: String, isRedirected: Bool) {
    self.message = message
    self.isRedirected = isRedirected
  }
}
