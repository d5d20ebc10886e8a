import Foundation
import TerminalUI
import TestSupport
import Testing

/// Answers over slow lines, and from terminals of all kinds.
@Suite("Answers of the terminal to the real program", .serialized)
struct AnswerEndToEndTests {
  private func dashboard(
    _ options: [String] = [], shell: String? = nil, environment: [String: String] = [:], signWidth: Int = 1,
    isAnswering: Bool = true
  ) throws -> PseudoTerminal {
    let folder = try TemporaryFolder()
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let own = ["HOME": folder.path("home"), "XDG_STATE_HOME": folder.path("state")]
    let start = shell.map { ["sh", "-c", $0] } ?? []
    return try PseudoTerminal(
      start + [try Shell.program] + options + [path], environment: own.merging(environment) { $1 },
      in: folder,
      signWidth: signWidth, isAnswering: isAnswering)
  }

  private static let cuts = [1, 2, 3, 6, 11, 17, 23, 24]

  @Test("cut anywhere and stalled, an answer is not typed into the filter", arguments: [0.6, 1.9])
  func filter(stall: Double) throws {
    let answers = try Self.cuts.map {
      StalledAnswer(try dashboard(isAnswering: false), cut: $0, stall: stall)
    }
    for answer in answers {
      #expect(answer.terminal.waitFor("push_ms") && answer.isAsked)
      answer.terminal.send("/")
    }
    StalledAnswer.send(answers)
    for answer in answers {
      let terminal = answer.terminal
      #expect(!answer.isTyped, "cut at \(answer.cut): \(terminal.screen.rows)")
      // Its first byte alone is Escape, which closes the filter.
      terminal.send(answer.cut == 1 ? "/qqq" : "qqq")
      #expect(terminal.waitFor("qqq"), "cut at \(answer.cut): \(terminal.screen.rows)")
      terminal.process.send(SIGTERM)
      #expect(terminal.waitForEnd() == .killed(SIGTERM))
      #expect(terminal.damage == [] && terminal.screen.violations == [])
    }
  }

  @Test("after a typed-ahead q, the shell gets nothing of a late answer", arguments: [0.6, 1.9])
  func end(stall: Double) throws {
    let answers = try Self.cuts.map { cut in
      let terminal = try dashboard(shell: "\"$0\" \"$@\"; echo left $?; exec cat", isAnswering: false)
      return StalledAnswer(terminal, cut: cut, stall: stall)
    }
    for answer in answers {
      #expect(answer.terminal.wait { answer.isAsked })
      answer.terminal.send("q")
    }
    StalledAnswer.send(answers)
    for answer in answers {
      let terminal = answer.terminal
      #expect(terminal.waitFor("left 0"))
      // Whatever is left over would be echoed.
      _ = terminal.wait(0.3) { false }
      let rest = terminal.text.components(separatedBy: "left 0").last ?? ""
      #expect(rest.allSatisfy { $0.isWhitespace }, "cut at \(answer.cut): \(rest)")
    }
  }

  @Test("after a typed-ahead Ctrl-C, the shell gets nothing of it either")
  func interrupt() throws {
    let terminal = try dashboard(
      shell: "trap : INT; \"$0\" \"$@\"; echo left $?; exec cat", isAnswering: false)
    let answer = StalledAnswer(terminal, cut: 0, stall: 0.5)
    #expect(terminal.wait { answer.isAsked })
    terminal.send("\u{03}")
    StalledAnswer.send([answer])
    #expect(terminal.waitFor("left 130"))
    _ = terminal.wait(0.3) { false }
    let rest = terminal.text.components(separatedBy: "left 130").last ?? ""
    #expect(rest.allSatisfy { $0.isWhitespace }, "\(rest)")
  }

  @Test("once the terminal has answered, or if it never does, q does not wait for long")
  func quick() throws {
    let terminal = try dashboard()
    #expect(terminal.waitFor("push_ms"))
    let start = ContinuousClock.now
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
    #expect(start.duration(to: .now) < .seconds(1))
    #expect(terminal.damage == [] && terminal.screen.violations == [])
    let silent = try dashboard(isAnswering: false)
    #expect(silent.waitFor("push_ms"))
    silent.send("q")
    #expect(silent.waitForEnd(4) == .exited(0))
    #expect(silent.damage == [])
  }

  @Test("a terminal that draws lines two columns wide gets ASCII, and is told so")
  func wide() throws {
    let terminal = try dashboard(signWidth: 2)
    #expect(terminal.waitFor("ASCII signs: this terminal draws lines and bars two columns wide"))
    #expect(terminal.wait { terminal.screen.rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } })
    #expect(terminal.screen.contains("push_ms") && terminal.screen.violations == [])
    terminal.send(":glyphs braille\r")
    #expect(terminal.waitFor("This terminal draws lines and bars two columns wide"))
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
    let chosen = try dashboard(["--glyphs", "blocks"], signWidth: 2)
    #expect(chosen.waitFor("--ascii suits it"))
  }

  @Test("a choice that has no effect is told")
  func overridden() throws {
    let terminal = try dashboard(["--glyphs", "braille"], environment: ["LC_ALL": "C"])
    #expect(terminal.waitFor("ASCII instead of braille: LC_ALL=C is not UTF-8"))
    let linear = try dashboard(["--linear", "--theme", "paper"])
    #expect(linear.waitFor("Lines of text have no screen: --theme paper has no effect"))
  }

  @Test(
    "an entry of another name is told, and still there after the end",
    arguments: ["xterm-nonsense", "odd-256color"])
  func otherEntry(name: String) throws {
    let terminal = try dashboard(environment: ["TERM": name])
    let note = "TERM=\(name) is not in the terminfo database"
    #expect(terminal.wait { terminal.text.contains(note) } && terminal.waitFor("push_ms"))
    #expect(!terminal.screen.contains("TERM="))
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
    #expect(terminal.screen.rows.joined().contains("mistertop: \(note), so xterm-256color is used"))
    #expect(terminal.damage == [] && terminal.screen.violations == [])
  }
}
