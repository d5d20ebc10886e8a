import TerminalUI

/// A terminal that answers the query for its background in two pieces, as a slow line delivers them.
package struct StalledAnswer {
  /// The whole answer.
  package static let bytes = Array("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\".utf8)

  package let terminal: PseudoTerminal
  /// The number of bytes in the first piece.
  package let cut: Int
  /// The seconds between the pieces.
  package let stall: Double

  package init(_ terminal: PseudoTerminal, cut: Int, stall: Double) {
    (self.terminal, self.cut, self.stall) = (terminal, cut, stall)
  }

  /// True once the program has asked.
  package var isAsked: Bool { terminal.text.contains("]11;?") }

  /// True if a part of the answer was taken for typed text.
  package var isTyped: Bool {
    ["1e1e", "rgb:", "]11", "11;"].contains { text in terminal.screen.contains(text) }
  }

  /// Sends the answers, all at the same time, and reads what the programs write in the meantime and shortly after.
  package static func send(_ answers: [StalledAnswer]) {
    for answer in answers { answer.terminal.send(Array(bytes[..<answer.cut])) }
    let start = ContinuousClock.now
    var left = answers
    let end = (answers.map(\.stall).max() ?? 0) + 0.5
    while true {
      let passed = start.duration(to: .now) / .seconds(1)
      for answer in left where answer.stall <= passed { answer.terminal.send(Array(bytes[answer.cut...])) }
      left.removeAll { $0.stall <= passed }
      if passed > end { return }
      for answer in answers { answer.terminal.pump(milliseconds: 2) }
    }
  }
}
