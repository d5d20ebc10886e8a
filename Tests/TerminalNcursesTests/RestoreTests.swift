import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The real terminal code behind pseudo-terminals; the probe program ends in every way there is.
///
/// A controlling terminal is made by the `setsid -c` of util-linux.
@Suite("Terminal restored", .serialized)
struct RestoreTests {
  @Test(
    "after a signal, and the program dies by it",
    arguments: [
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGALRM, SIGUSR1,
      SIGUSR2, SIGPIPE, SIGXFSZ, SIGSYS,
    ])
  func signals(number: Int32) throws {
    let terminal = try #require(PseudoTerminal("wait"))
    #expect(terminal.waitFor("ready 40x10"))
    #expect(!terminal.isAsBefore)
    let start = PseudoTerminal.now
    kill(terminal.pid, number)
    #expect(terminal.wait { terminal.end() != .stillRunning })
    #expect(terminal.end() == .signal(number))
    // Promised are 0.5 s; a busy machine gets some more, the default crash prompt would take 30.
    #expect(PseudoTerminal.now - start < 3)
    expectRestored(terminal)
  }

  @Test(
    "after return, exit, a trap and an endless recursion",
    arguments: [
      ("return", [PseudoTerminal.End.exit(0)]), ("exit", [.exit(7)]),
      ("trap", [.signal(SIGILL), .signal(SIGTRAP)]), ("overflow", [.signal(SIGSEGV), .signal(SIGBUS)]),
    ])
  func ways(way: String, ends: [PseudoTerminal.End]) throws {
    let terminal = try #require(PseudoTerminal(way))
    #expect(terminal.wait { terminal.end() != .stillRunning })
    #expect(ends.contains(terminal.end()))
    #expect(!terminal.text.contains("Press space"))
    expectRestored(terminal)
  }

  @Test(
    "while stopped by Ctrl-Z; continued, the picture and the modes come back", arguments: ["\u{1A}", "z"])
  func suspend(keys: String) throws {
    let terminal = try #require(PseudoTerminal("session"))
    for _ in 0..<3 {
      #expect(terminal.waitFor("ready"))
      #expect(!terminal.isAsBefore)
      terminal.send(keys)
      #expect(terminal.waitFor("job-stopped"))
      expectRestored(terminal)
      terminal.forgetOutput()
      terminal.send("\n")
    }
    #expect(terminal.waitFor("ready"))
    terminal.send("q")
    #expect(terminal.wait { terminal.end() == .exit(0) })
    expectRestored(terminal)
  }

  @Test("after a stop that cannot be caught the modes and the picture come back")
  func stop() throws {
    let terminal = try #require(PseudoTerminal("wait"))
    #expect(terminal.waitFor("ready"))
    kill(terminal.pid, SIGSTOP)
    #expect(terminal.waitForStop())
    terminal.forgetOutput()
    kill(terminal.pid, SIGCONT)
    #expect(terminal.waitFor("ready"))
    #expect(terminal.text.contains("?1049h"))
    #expect(!terminal.isAsBefore)
    terminal.send("q")
    #expect(terminal.wait { terminal.end() == .exit(0) })
    expectRestored(terminal)
  }

  @Test(
    "a terminal that vanishes ends the program, even one that ignores the hang-up", arguments: [nil, "HUP"])
  func hangUp(ignoring: String?) throws {
    let terminal = try #require(PseudoTerminal("wait", ignoring: ignoring))
    #expect(terminal.waitFor("ready"))
    terminal.hangUp()
    #expect(terminal.wait { terminal.end() != .stillRunning })
    #expect(terminal.end() == (ignoring == nil ? .signal(SIGHUP) : .exit(3)))
  }

  @Test("when the signal comes at any moment of busy drawing", arguments: [SIGTERM, SIGSEGV, SIGINT, SIGHUP])
  func anyMoment(number: Int32) throws {
    for round in 0..<5 {
      let terminal = try #require(PseudoTerminal("flood", width: 120))
      let enough = 2_000 + round * 7_919
      #expect(terminal.wait { terminal.output.count > enough })
      kill(terminal.pid, number)
      #expect(terminal.wait { terminal.end() == .signal(number) })
      expectRestored(terminal)
    }
  }

  @Test("a terminal that takes nothing does not hold up a death")
  func stuck() throws {
    let terminal = try #require(PseudoTerminal("flood", width: 120))
    // Nobody reads from here on, so the drawing blocks once the terminal's buffer is full.
    #expect(terminal.waitUnread(seconds: 0.3) { false } == false)
    kill(terminal.pid, SIGTERM)
    #expect(terminal.waitUnread(seconds: 3) { terminal.end() == .signal(SIGTERM) })
    #expect(terminal.isAsBefore)
  }

  @Test("a new size is drawn at that size")
  func resize() throws {
    let terminal = try #require(PseudoTerminal("wait"))
    #expect(terminal.waitFor("ready 40x10"))
    for (width, height) in [(90, 30), (1, 1), (500, 2), (60, 20)] {
      terminal.resize(width: width, height: height)
    }
    #expect(terminal.waitFor("60x20"))
    terminal.send("q")
    #expect(terminal.wait { terminal.end() == .exit(0) })
  }

  @Test("keys, mouse and pastes arrive as events")
  func keys() throws {
    let terminal = try #require(PseudoTerminal("wait", width: 200))
    #expect(terminal.waitFor("ready"))
    for (bytes, words) in [
      ("x", "character"), ("\u{1B}[A", "up"), ("\u{1B}", "escape"), ("\u{1B}[200~hi\u{1B}[201~", "paste"),
    ] {
      terminal.forgetOutput()
      terminal.send(bytes)
      #expect(terminal.waitFor(words), "\(words)")
    }
  }

  @Test(
    "data reaches the terminal only as visible signs, in any locale", arguments: ["C.UTF-8", "C", "xx_YY"])
  func safeOutput(locale: String) throws {
    let terminal = try #require(PseudoTerminal("return", locale: locale))
    #expect(terminal.wait { terminal.end() != .stillRunning })
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(!text.unicodeScalars.contains { [0x202E, 0x200D].contains($0.value) })
    #expect(text.contains(locale == "C.UTF-8" ? "é 漢字 👨 \u{FFFD}x" : "? ?? ? ?x") || locale == "xx_YY")
    if locale != "C.UTF-8" { #expect(terminal.output.allSatisfy { $0 < 0x80 }) }
  }

  @Test(
    "a type that cannot work is refused in one line, with status 2 and nothing else sent",
    arguments: ["", "dumb", "unknown", "nonsense-terminal", "../../etc/passwd", "vt52x"])
  func refused(type: String) throws {
    let terminal = try #require(PseudoTerminal("wait", type: type))
    #expect(terminal.wait { terminal.end() != .stillRunning })
    #expect(terminal.end() == .exit(2))
    #expect(!terminal.output.contains(0x1B))
    #expect(terminal.text.hasPrefix("terminal-probe: "))
    #expect(terminal.isAsBefore)
  }

  @Test(
    "old terminals get a picture", arguments: ["vt100", "linux", "ansi", "screen", "tmux-256color", "xterm"])
  func old(type: String) throws {
    let terminal = try #require(PseudoTerminal("wait", type: type))
    #expect(terminal.waitFor("ready 40x10"))
    terminal.send("q")
    #expect(terminal.wait { terminal.end() == .exit(0) })
    #expect(terminal.isAsBefore)
  }

  private func expectRestored(_ terminal: PseudoTerminal) {
    #expect(terminal.isAsBefore)
    let last = terminal.text.components(from: "^[\\")
    for end in ["?1049l", "?25h", "?2004l", "?1002l", "?1006l", "?2026l"] {
      #expect(last.contains(end), "\(end)")
    }
  }
}

extension String {
  /// What follows the last occurrence of a text; nothing when it does not occur.
  fileprivate func components(from text: String) -> Substring {
    ranges(of: text).last.map { self[$0.upperBound...] } ?? ""
  }
}
