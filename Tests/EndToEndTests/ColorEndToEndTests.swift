import Foundation
import TestSupport
import Testing

/// Which colors the real program sends to which terminals.
@Suite("Colors on a terminal", .serialized)
struct ColorEndToEndTests {
  private func dashboard(_ options: [String] = [], _ environment: [String: String]) throws -> PseudoTerminal {
    let folder = try TemporaryFolder()
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let own = ["HOME": folder.path("home"), "XDG_STATE_HOME": folder.path("state")]
    return try PseudoTerminal(
      [try Shell.program] + options + [path], environment: own.merging(environment) { $1 },
      in: folder)
  }

  private func quit(_ terminal: PseudoTerminal) {
    terminal.send(":quit\r")
    #expect(terminal.waitForEnd() == .exited(0))
    #expect(terminal.damage == [])
  }

  static let kinds: [([String: String], [String], Bool)] = [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], [], true),
    (["TERM": "xterm-256color"], [], false), (["TERM": "xterm-256color"], ["--colors", "24bit"], true),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ["--colors", "256"], false),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], [], false),
    (["TERM": "xterm", "COLORTERM": "24bit"], [], true),
    (["TERM": "xterm-nonsense", "COLORTERM": "24bit"], [], true),
    (["TERM": "xterm-kitty"], [], true), (["TERM": "linux", "COLORTERM": "truecolor"], [], true),
    (["TERM": "linux"], [], false), (["TERM": "vt100", "COLORTERM": "truecolor"], [], false),
    (["TERM": "screen-256color", "COLORTERM": "truecolor"], [], true),
    (["TERM": "screen-256color"], [], false),
    (["TERM": "tmux-256color", "COLORTERM": "truecolor"], [], true),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor", "TERMINFO": "/nonexistent"], [], true),
  ]

  @Test("24 bits are sent where the terminal shows them or where they are asked for", arguments: kinds)
  func sent(environment: [String: String], options: [String], is24Bit: Bool) throws {
    let terminal = try dashboard(options, environment)
    #expect(terminal.wait { terminal.text.contains("push_ms") }, "\(terminal.text)")
    quit(terminal)
    #expect(terminal.text.contains("38;2;") == is24Bit, "\(environment) \(options)")
    // The emulated screen knows no other terminal.
    if environment["TERM"] == "xterm-256color" { #expect(terminal.screen.violations == []) }
  }

  @Test("a terminal that answers that it shows 24 bits gets them")
  func answer() throws {
    let terminal = try dashboard([], ["TERM": "xterm-256color"])
    #expect(terminal.waitFor("push_ms"))
    #expect(terminal.text.contains("P+q524742") && !terminal.text.contains("38;2;"))
    terminal.send("\u{1B}P1+r524742=38\u{1B}\\")
    #expect(terminal.wait { terminal.text.contains("38;2;") })
    quit(terminal)
    #expect(terminal.screen.violations == [])
  }

  @Test("colors that cannot be had are refused in a line")
  func refused() throws {
    let terminal = try dashboard(["--colors", "24bit"], ["TERM": "vt100"])
    #expect(
      terminal.wait {
        terminal.text.contains("No 24-bit color here: terminfo allows this terminal no colors")
      })
    quit(terminal)
  }

  @Test(
    "a program that is started from here gets TERMINFO as it was",
    arguments: [nil, "/nonexistent"] as [String?])
  func variable(value: String?) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("variable")
    let editor = try folder.write(
      "#!/bin/sh\necho \"${TERMINFO-unset}\" >'\(path).new'; mv '\(path).new' '\(path)'\n", to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    var environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "EDITOR": editor]
    environment["TERMINFO"] = value
    let terminal = try dashboard([], environment)
    #expect(terminal.waitFor("push_ms"))
    terminal.send("2")
    let isWritten = { FileManager.default.fileExists(atPath: path) }
    for _ in 0..<20 where !isWritten() {
      terminal.send("o")
      _ = terminal.wait(1, until: isWritten)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == (value ?? "unset") + "\n")
    quit(terminal)
  }
}
