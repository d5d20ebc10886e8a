import Foundation
import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal code behind pseudo-terminals without a guard: the probe ends in every way that a handler can see.
///
/// The same with the guard, at random times and in numbers, are rows X5 to X10 of the fault matrix. A controlling
/// terminal is made by the `setsid -c` of util-linux.
@Suite("Terminal restored without a guard", .serialized)
struct RestoreTests {
  private func start(_ words: String..., width: Int = 40) throws -> PseudoTerminal {
    try PseudoTerminal(
      [try ChildProcess.program("terminal-probe")] + words, size: Size(width: width, height: 10))
  }

  @Test(
    arguments: [
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGALRM, SIGUSR1,
      SIGUSR2, SIGPIPE, SIGXFSZ, SIGSYS,
    ])
  func `After a signal, and the program dies by it`(number: Int32) throws {
    let terminal = try start("wait")
    #expect(terminal.waitFor("ready 40x10"))
    #expect(!terminal.hasModesOfBefore)
    terminal.process.send(number)
    // Promised are 0.5 s; a busy machine gets some more, the default crash prompt would take 30.
    #expect(terminal.waitForEnd(3) == .killed(number))
    #expect(terminal.damage == [])
  }

  @Test(arguments: [1, 2, 3, 10])
  func `However small a terminal is, what gives it back is ready before it is taken`(size: Int) throws {
    let terminal = try PseudoTerminal(
      [try ChildProcess.program("terminal-probe"), "wait"], size: Size(width: size, height: size))
    // The guard's bytes come first: with them it knows what to send at the end.
    let (mine, screen) = ("[?2004h", "[?1049h")
    #expect(terminal.wait { terminal.text.contains(mine) && terminal.text.contains(screen) })
    let text = terminal.text
    let places = try [mine, screen].map { try #require(text.range(of: $0)).lowerBound }
    #expect(places[0] < places[1], "\(text)")
    terminal.process.send(SIGTERM)
    #expect(terminal.waitForEnd() == .killed(SIGTERM))
    #expect(terminal.damage == [])
  }

  @Test(
    arguments: [
      ("return", [ChildProcess.Ending.exited(0)]), ("exit", [.exited(7)]), ("exit-thread", [.exited(7)]),
      ("trap", [.killed(SIGILL), .killed(SIGTRAP)]), ("trap-task", [.killed(SIGILL), .killed(SIGTRAP)]),
      ("overflow", [.killed(SIGSEGV), .killed(SIGBUS)]),
    ])
  func `After return, exit, a trap and an endless recursion`(way: String, ends: [ChildProcess.Ending]) throws
  {
    let terminal = try start(way)
    let end = try #require(terminal.waitForEnd())
    #expect(ends.contains(end))
    #expect(!terminal.text.contains("Press space"))
    #expect(terminal.damage == [])
  }

  @Test func `A terminal that takes nothing does not hold up a death`() throws {
    let terminal = try start("flood", width: 120)
    // No one reads from here on, so the drawing blocks once the terminal's buffer is full.
    #expect(!terminal.waitUnread(0.3) { false })
    terminal.process.send(SIGTERM)
    #expect(terminal.waitUnread(3) { !terminal.process.isRunning })
    #expect(terminal.waitForEnd() == .killed(SIGTERM))
    // The output that waited was thrown away to make room for the end, which is there at the next read.
    #expect(terminal.damage == [])
  }

  @Test func `Keys, mouse and pastes arrive as events`() throws {
    let terminal = try start("wait", width: 200)
    #expect(terminal.waitFor("ready"))
    for (bytes, words) in [
      ("x", "character"), ("\u{1B}[A", "up"), ("\u{1B}", "escape"), ("\u{1B}[200~hi\u{1B}[201~", "paste"),
    ] {
      terminal.send(bytes)
      #expect(terminal.waitFor(words), "\(words)")
    }
  }
}
