/// A backend without a terminal: keeps the last buffer and replays input that a test feeds it.
package final class HeadlessBackend: TerminalBackend {
  package private(set) var size: Size
  package let descriptors: [Int32] = []
  /// The last presented buffer.
  package private(set) var shown: Buffer
  package private(set) var cursor: Position?
  /// All commands, in order.
  package private(set) var commands: [TerminalCommand] = []
  /// Number of cells that each `present` would have written.
  package private(set) var written: [Int] = []
  private var waiting: [InputEvent] = []

  package init(size: Size) {
    self.size = size
    shown = Buffer(size: size)
  }

  /// Queues events for the next `readEvents`.
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
