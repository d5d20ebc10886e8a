import Commands
import TerminalNcurses
import TerminalUI

/// The terminal of this process and its guard.
struct NcursesHost: CommandHost {
  var screenLibrary: String { NcursesTerminal.libraryVersion }

  func startGuard(version: String, reportFolder: String, logFile: String) {
    TerminalGuard.split(
      .init(program: "mistertop", version: version, folder: reportFolder, log: logFile))
  }

  func setCleanupFolder(_ path: String) {
    TerminalGuard.setCleanupFolder(path)
  }

  func openTerminal(
    environment: [String: String], note: (String) -> Void
  ) throws(TerminalUnavailable) -> HostTerminal {
    do throws(TerminalError) {
      let terminal = try NcursesTerminal.open(.init(environment: environment), note: note)
      return HostTerminal(backend: terminal, capabilities: terminal.capabilities)
    } catch {
      throw TerminalUnavailable(
        message: error.message, isRedirected: error == .outputIsNoTerminal || error == .noKeyboard)
    }
  }
}
