import Foundation
import TerminalUI
import TestSupport
import Testing

/// X11: every kind of terminal, locale and standard stream.
extension FaultMatrix {
  @Test
  func `X11: a terminal that cannot be used is refused in words and untouched, any other gets a picture`()
    async throws
  {
    try await Self.row("X11") { run in
      for type in [
        "", "unknown", "vt52x", "nonsense", String(repeating: "a", count: 5000), "../../etc/passwd",
        "\u{1B}[2J",
      ] {
        try Self.refuse(environment: ["TERM": type], into: &run)
      }
      try Self.speak(environment: ["TERM": "dumb"], into: &run)
      for type in [
        "vt52", "vt100", "ansi", "linux", "screen", "tmux-256color", "xterm", "xterm-256color",
      ] {
        for locale in ["C.UTF-8", "C", "xx_YY.UTF-8"] {
          try Self.show(environment: ["TERM": type, "LC_ALL": locale], into: &run)
        }
      }
      for kind in [
        ["TERM": "xterm-256color", "COLORTERM": "truecolor"], ["TERM": "linux", "COLORTERM": "24bit"],
        // Their entries come with the terminal, not with the database: that of the family does.
        ["TERM": "xterm-kitty"], ["TERM": "xterm-nonsense"], ["TERM": "screen-nonsense"],
      ] {
        try Self.show(environment: kind, into: &run)
      }
      for wrong in [
        ["LINES": "1", "COLUMNS": "1"], ["LINES": "-5", "COLUMNS": "x"],
        ["LINES": "99999", "COLUMNS": "99999"],
      ] {
        try Self.show(environment: wrong, into: &run)
      }
      for redirection in ["</dev/null", "<&-", "2>/dev/null", "2>&-"] {
        try Self.show(redirection: redirection, environment: [:], into: &run)
      }
      for redirection in [">/dev/null", "| cat"] { try Self.frame(redirection, endsBy: 0, into: &run) }
      // A closed output cannot be written to.
      try Self.frame(">&-", endsBy: 1, into: &run)
      try Self.starve(descriptors: 4, into: &run)
      run.add(rounds: 1)
    }
  }

  /// Refused: one line, status 2, no byte that a terminal would obey.
  private static func refuse(environment: [String: String], into run: inout MatrixRun) throws {
    let terminal = try TerminalBench().dashboard(environment: environment)
    let end = terminal.waitForEnd()
    var faults = terminal.damage
    if end != .exited(2) { faults.append("ended as \(String(describing: end))") }
    if terminal.output.contains(0x1B) { faults.append("sends sequences") }
    if !terminal.text.hasPrefix("mistertop: ") || terminal.text.split(separator: "\r\n").count != 1 {
      faults.append("says \(terminal.text)")
    }
    run.judge(terminal, faults: faults, "\(environment)".prefix(60).description)
  }

  /// Lines of text, no byte that a terminal would obey; `q` and Enter leave.
  private static func speak(environment: [String: String], into run: inout MatrixRun) throws {
    let terminal = try TerminalBench().dashboard(environment: environment)
    var faults: [String] = []
    if !terminal.waitFor("1 what is wrong") { faults.append("says \(terminal.text)") }
    terminal.send("q\n")
    let end = terminal.waitForEnd()
    faults += terminal.damage
    if end != .exited(0) { faults.append("ended as \(String(describing: end))") }
    if terminal.output.contains(0x1B) { faults.append("sends sequences") }
    run.judge(terminal, faults: faults, "\(environment)")
  }

  /// So few descriptors that the terminal cannot be taken, and that is what is said.
  private static func starve(descriptors: Int, into run: inout MatrixRun) throws {
    let terminal = try TerminalBench().dashboardInShell("ulimit -n \(descriptors); exec \"$0\" \"$@\"")
    let end = terminal.waitForEnd()
    var faults = terminal.damage
    if end != .exited(2) { faults.append("ended as \(String(describing: end))") }
    if !terminal.text.contains("Too many open files") { faults.append("says \(terminal.text)") }
    if terminal.output.contains(0x1B) { faults.append("sends sequences") }
    run.judge(terminal, faults: faults, "\(descriptors) descriptors")
  }

  /// A picture; then `q` gives the terminal back.
  private static func show(
    redirection: String = "", environment: [String: String], into run: inout MatrixRun
  ) throws {
    let terminal = try TerminalBench().dashboardInShell(
      "exec \"$0\" \"$@\" \(redirection)", environment: environment)
    let isShown = terminal.wait { terminal.text.contains("probe") || !terminal.process.isRunning }
    var faults = isShown && terminal.process.isRunning ? [] : ["no picture: \(terminal.text)"]
    terminal.send("q")
    if terminal.waitForEnd() != .exited(0) { faults.append("does not end") }
    if !terminal.hasModesOfBefore { faults.append("other modes") }
    // The sequences of other types are not those that the emulated screen knows.
    run.judge(faults: faults, "\(environment) \(redirection)")
  }

  /// Without a terminal to draw on there is one frame, without a sequence in it.
  private static func frame(
    _ redirection: String, endsBy status: Int32, into run: inout MatrixRun
  ) throws {
    let terminal = try TerminalBench().dashboardInShell("\"$0\" \"$@\" \(redirection)")
    let end = terminal.waitForEnd()
    var faults = terminal.damage
    if end != .exited(status) { faults.append("ended as \(String(describing: end))") }
    if terminal.output.contains(0x1B) { faults.append("sends sequences") }
    run.judge(terminal, faults: faults, redirection)
  }
}
