/// A terminal as the program's loop sees it: five calls, without their implementation.
///
/// The loop polls `descriptors` for reading (any answer of poll counts, hang-up too), its own wake
/// descriptor, and the earlier of its own deadline and the one that `readEvents` gave. Whenever one of
/// them is ready or that deadline has come it calls `readEvents`, folds the events, and presents a buffer.
package protocol TerminalBackend: AnyObject {
  /// The size now, in cells. Changes are also reported by `.resize`.
  var size: Size { get }
  /// Descriptors to poll for reading.
  var descriptors: [Int32] { get }
  /// Shows the buffer, writing only cells that differ from what is shown; the cursor when one is wanted.
  func present(_ buffer: Buffer, cursor: Position?)
  /// Reads available input, without waiting. `now` is in seconds of a clock that never goes back.
  func readEvents(now: Double) -> TerminalInput
  /// Does what is not drawing.
  func perform(_ command: TerminalCommand)
}

/// The result of `readEvents`: the events, and when to call again without further input.
package struct TerminalInput: Hashable, Sendable {
  package var events: [InputEvent]
  /// When a lone Escape stops waiting for a sequence, on the clock that was passed in.
  package var deadline: Double?

  package init(events: [InputEvent] = [], deadline: Double? = nil) {
    self.events = events
    self.deadline = deadline
  }
}

/// Commands to a terminal other than drawing.
package enum TerminalCommand: Hashable, Sendable {
  /// Gives the terminal back and stops the process group, as Ctrl-Z does; returns when continued.
  case suspend
  /// Gives the terminal back for good. Safe to repeat.
  case close
  /// Gives the terminal to another program for a while; nothing is drawn until it is taken back.
  case lend
  /// Takes the terminal again after `lend`; the next `present` draws everything.
  case takeBack
  /// Forgets what is shown, so that the next `present` draws everything.
  case redraw
  /// Turns mouse reports on or off.
  case mouse(Bool)
  /// Asks the terminal for its background; the answer may come as ``InputEvent/background(_:)``, or never.
  case askBackground
  /// Asks the terminal for 24-bit colors where that is open; the answer may come as ``InputEvent/trueColor``, or never.
  case askColors
  /// Rings the bell.
  case bell
  /// Puts text on the clipboard where the terminal allows it (OSC 52).
  case copy(String)
  /// Writes a line; for terminals that draw nothing.
  case line(String)
}
