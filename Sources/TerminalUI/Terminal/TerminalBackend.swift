/// A terminal as the program's loop sees it: five calls, independent of the implementation.
///
/// The loop polls `descriptors` for reading (any poll result counts, even a hang-up), its own wake descriptor, and the
/// earlier of its own deadline and that of `readEvents`. Whenever a descriptor is ready or a deadline is reached, it
/// calls `readEvents`, folds the events, and presents a buffer.
package protocol TerminalBackend: AnyObject {
  /// The current size in cells; changes are also reported by `.resize`.
  var size: Size { get }
  /// Descriptors to poll for reading.
  var descriptors: [Int32] { get }
  /// Shows the buffer, writing only cells that differ from the screen, and the cursor if there is one.
  func present(_ buffer: Buffer, cursor: Position?)
  /// Reads available input without blocking; `now` is in seconds of a monotonic clock.
  func readEvents(now: Double) -> TerminalInput
  /// Performs an operation other than drawing.
  func perform(_ command: TerminalCommand)
}

/// The result of `readEvents`: the events, and when to call again without further input.
package struct TerminalInput: Hashable, Sendable {
  package var events: [InputEvent]
  /// The time when a lone Escape stops waiting for a sequence, on the caller's clock.
  package var deadline: Double?

  package init(events: [InputEvent] = [], deadline: Double? = nil) {
    self.events = events
    self.deadline = deadline
  }
}

/// Facts about a terminal that only it knows.
package struct TerminalQuestions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Its background; answered by ``InputEvent/background(_:)``.
  package static let background = TerminalQuestions(rawValue: 1)
  /// 24-bit color support, if it is unknown; answered by ``InputEvent/trueColor`` if there is.
  package static let colors = TerminalQuestions(rawValue: 2)
  /// The width of our signs; answered by ``InputEvent/unevenSigns`` if it is not one column each.
  package static let signs = TerminalQuestions(rawValue: 4)
}

/// Commands to a terminal other than drawing.
package enum TerminalCommand: Hashable, Sendable {
  /// Restores the terminal and stops the process group, as Ctrl-Z does; returns when continued.
  case suspend
  /// Restores the terminal for good; safe to repeat.
  case close
  /// Hands the terminal over to another program for a while; nothing is drawn until it is taken back.
  case lend
  /// Takes the terminal back after `lend`; the next `present` redraws everything.
  case takeBack
  /// Forgets the screen contents, so that the next `present` redraws everything.
  case redraw
  /// Turns mouse reports on or off.
  case mouse(Bool)
  /// Queries the terminal, which may answer or not; call it before the first frame.
  case ask(TerminalQuestions)
  /// Rings the bell.
  case bell
  /// Copies text to the clipboard, if the terminal allows it (OSC 52).
  case copy(String)
  /// Writes a line, for terminals that do not draw.
  case line(String)
}
