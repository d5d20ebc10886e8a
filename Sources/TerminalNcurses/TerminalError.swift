internal import Essentials

/// The reason there is no terminal to draw on: facts, with their texts in one place.
package enum TerminalError: Error, Hashable, Sendable {
  case outputIsNoTerminal
  case noKeyboard
  case typeUnset
  case typeTooPoor(String)
  case typeUnknown(String)
  case alreadyOpen
  case refused(code: Int32)

  /// One line for standard error; the program then exits with status 2.
  package var message: String {
    switch self {
    case .outputIsNoTerminal: return "standard output is not a terminal"
    case .noKeyboard: return "there is no terminal to read keys from"
    case .typeUnset:
      return "TERM is not set, so the kind of terminal is unknown; \(Self.usual), or use --linear"
    case .typeTooPoor(let name):
      return
        "a terminal of type '\(name)' cannot place text on the screen; \(Self.usual), or use --linear"
    case .typeUnknown(let name):
      return
        "the terminal type '\(name)' is not in the terminfo database; \(Self.usual), or install its entry (Debian, Fedora: ncurses-term, Alpine: ncurses-terminfo)"
    case .alreadyOpen: return "the terminal is already in use by this program"
    case .refused(let code): return "the terminal cannot be taken: \(String(cString: strerror(code)))"
    }
  }

  private static let usual = "set TERM=xterm-256color if it does what xterm does"
}
