package import TerminalUI

/// The services that only the executable can provide to a command: everything that depends on the ncurses modules.
@MainActor
package protocol CommandHost: Sendable {
  /// The version of the library that draws, such as `6.4.20221231`.
  var screenLibrary: String { get }

  /// Starts the process that restores the terminal and reports the crash, however this one ends.
  ///
  /// Must be called before any other thread exists.
  func startGuard(version: String, reportFolder: String, logFile: String)

  /// Registers a folder that the guard removes if this process dies before it can.
  func setCleanupFolder(_ path: String)

  /// Takes over the terminal of this process.
  ///
  /// - Parameters:
  ///   - environment: The variables that describe the terminal.
  ///   - note: Takes a sentence for the user while the terminal is still the shell's.
  /// - Throws: `TerminalUnavailable` if there is no suitable terminal.
  func openTerminal(
    environment: [String: String], note: (String) -> Void
  ) throws(TerminalUnavailable) -> HostTerminal
}

/// A terminal taken over by ``CommandHost``; `close` releases it.
package struct HostTerminal {
  package let backend: any TerminalBackend
  package let capabilities: Capabilities

  package init(backend: any TerminalBackend, capabilities: Capabilities) {
    self.backend = backend
    self.capabilities = capabilities
  }
}

/// The reason why there is no terminal to draw on.
package struct TerminalUnavailable: Error, Equatable {
  /// One line for the user.
  package let message: String
  /// True if input or output is redirected; false if the terminal is unsuitable.
  package let isRedirected: Bool

  package init(message: String, isRedirected: Bool) {
    self.message = message
    self.isRedirected = isRedirected
  }
}
