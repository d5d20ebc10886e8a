import TerminalUI
import TestSupport
import Testing

/// What a program finds that runs in a child of its guard; what the guard does at its death is in the fault matrix.
@Suite("Behind the guard")
struct GuardTests {
  @Test func `Two threads that meet at a lock of the runtime do not wait for ever`() throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(
      [try ChildProcess.program("terminal-probe"), "meet", "guarded", folder.path("crashes")],
      size: Size(width: 40, height: 10))
    #expect(terminal.waitFor("met 7"))
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
  }
}
