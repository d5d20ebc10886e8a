/// A terminal without a terminal: keeps the last buffer, plays back what a test feeds it.
package final class HeadlessBackend: TerminalBackend {
  package private(set) var size: Size
  package let descriptors: [Int32] = []
  /// The buffer shown last.
  package private(set) var shown: Buffer
  package private(set) var cursor: Position?
  /// Every command in the order it came.
  package private(set) var commands: [TerminalCommand] = []
  /// Cells that each `present` would have written.
  package private(set) var written: [Int] = []
  private var waiting: [InputEvent] = []

  package init(size: Size) {
    self.size = size
    shown = Buffer(size: size)
  }

  /// Puts events in line for the next `readEvents`.
  package func feed(_ events: [InputEvent]) {
    for case .resize(let new) in events { size = new }
    waiting += events
  }

  package func present(_ buffer: Buffer, cursor: Position?) {
    written.append(buffer.diff(from: shown).reduce(0) { $0 + $1.count })
    shown = buffer
    self.cursor = cursor
  }

  package func readEvents(now: Double) -> TerminalInput {
    defer { waiting = [] }
    return TerminalInput(events: waiting)
  }

  package func perform(_ command: TerminalCommand) {
    commands.append(command)
    if command == .redraw || command == .takeBack { shown = Buffer(size: size) }
  }
}
