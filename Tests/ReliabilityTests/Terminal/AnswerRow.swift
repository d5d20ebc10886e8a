import Foundation
import TerminalUI
import TestSupport
import Testing

/// X17: the terminal's answer comes in pieces.
extension FaultMatrix {
  @Test
  func `X17: an answer that is cut and stalls for up to two seconds is neither typed nor left to the shell`()
    async throws
  {
    try await Self.row("X17") { run in
      while run.goesOn(by: 10) {
        var generator = SeededGenerator(seed: run.seed)
        let answers = try (0..<10).map { index in
          let bench = try TerminalBench()
          let terminal =
            index % 2 == 0
            ? try bench.dashboard(isAnswering: false)
            : try bench.dashboardInShell("\"$0\" \"$@\"; echo left $?; exec cat", isAnswering: false)
          return Self.stalled(terminal, &generator)
        }
        for (index, answer) in answers.enumerated() {
          _ = answer.terminal.wait { answer.isAsked }
          if index % 2 == 0 { _ = answer.terminal.waitFor("probe") }
          answer.terminal.send(index % 2 == 0 ? "/" : "q")
        }
        StalledAnswer.send(answers)
        for (index, answer) in answers.enumerated() {
          let faults = index % 2 == 0 ? Self.filterFaults(answer) : Self.shellFaults(answer)
          run.judge(answer.terminal, faults: faults, "cut at \(answer.cut), \(answer.stall) s")
        }
      }
    }
  }

  @Test func `X17: a program that does not know what it asked takes the rest for keys`() async throws {
    try await Self.control("X17", without: "the expectation of answers") { run in
      // The probe asks nothing.
      let terminal = try TerminalBench().probe(["wait"])
      guard terminal.waitFor("ready") else { return }
      StalledAnswer.send([StalledAnswer(terminal, cut: 2, stall: 0.6)])
      let isTyped = terminal.screen.contains("character(")
      run.judge(faults: isTyped ? ["typed"] : [], "unasked")
    }
  }

  private static func stalled(_ terminal: PseudoTerminal, _ generator: inout SeededGenerator) -> StalledAnswer
  {
    let cut = Int.random(in: 1..<StalledAnswer.bytes.count, using: &generator)
    return StalledAnswer(terminal, cut: cut, stall: Double.random(in: 0...1.9, using: &generator))
  }

  /// Faults of the filter, into which three letters are typed after the answer.
  private static func filterFaults(_ answer: StalledAnswer) -> [String] {
    var faults = answer.isTyped ? ["typed"] : []
    // Its first byte alone is Escape, which closes the filter.
    answer.terminal.send(answer.cut == 1 ? "/qqq" : "qqq")
    if !answer.terminal.waitFor("qqq") { faults.append("no keys: \(answer.terminal.screen.rows.suffix(2))") }
    return faults
  }

  /// Faults after the end, where a shell echoes what it gets.
  private static func shellFaults(_ answer: StalledAnswer) -> [String] {
    guard answer.terminal.waitFor("left 0") else { return ["does not end"] }
    _ = answer.terminal.wait(0.3) { false }
    let rest = answer.terminal.text.components(separatedBy: "left 0").last ?? ""
    return rest.allSatisfy { $0.isWhitespace } ? [] : ["left to the shell: \(rest)"]
  }
}
