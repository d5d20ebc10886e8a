import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program in a child of its guard; the guard's actions at its death are in the fault matrix.
@Suite("Behind the guard")
struct GuardTests {
  private let folder: TemporaryFolder
  private let probe: String

  init() throws {
    folder = try TemporaryFolder()
    probe = try ChildProcess.program("terminal-probe")
  }

  private func start(_ way: String, below words: [String] = []) throws -> PseudoTerminal {
    try PseudoTerminal(
      words + [probe, way, "guarded", folder.path("crashes")], size: Size(width: 40, height: 10), in: folder)
  }

  @Test func `Two threads that meet at a lock of the runtime do not wait for ever`() throws {
    let terminal = try start("meet")
    #expect(terminal.waitFor("met 7"))
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
  }

  /// The parents a guard may have: nothing, a shell or a script without job control, a script below a shell with it.
  static let starters: [[String]] = {
    let script = ["/bin/sh", "-c", "\"$0\" \"$@\"; exit $?"]
    return [[], script, ["session"] + script]
  }()

  /// The program is stopped alone, which its guard sees in time or not.
  private func stop(_ program: pid_t, of terminal: PseudoTerminal, with guardian: pid_t) {
    #expect(kill(program, SIGSTOP) == 0)
    #expect(terminal.wait { ProcessFacts(program).state == "T" })
    _ = terminal.wait(0.3) { ProcessFacts(guardian).state == "T" }
  }

  private func startWaiting(below words: [String]) throws -> (PseudoTerminal, program: pid_t, guardian: pid_t)
  {
    let terminal = try start("wait", below: words.first == "session" ? [probe] + words : words)
    #expect(terminal.waitFor("ready 40x10"))
    let processes = [terminal.process.identifier] + terminal.descendants
    let program = try #require(processes.last)
    return (terminal, program, try #require(processes.dropLast().last))
  }

  @Test(arguments: starters)
  func `Stopped and continued alone, the program ends as if it had not been`(below words: [String]) throws {
    let (terminal, program, guardian) = try startWaiting(below: words)
    stop(program, of: terminal, with: guardian)
    #expect(kill(program, SIGCONT) == 0)
    #expect(terminal.wait { ProcessFacts(guardian).state != "T" })
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
    #expect(terminal.damage == [])
  }

  @Test(arguments: starters, [true, false])
  func `Killed after such a stop, or in one without a shell above, it leaves the terminal as before`(
    below words: [String], isContinued: Bool
  ) throws {
    // Stopped, and with a shell that sees it, a job waits until it is continued.
    guard isContinued || words.first != "session" else { return }
    let (terminal, program, guardian) = try startWaiting(below: words)
    stop(program, of: terminal, with: guardian)
    if isContinued {
      #expect(kill(program, SIGCONT) == 0)
      #expect(terminal.wait { ProcessFacts(guardian).state != "T" })
    }
    #expect(kill(program, SIGKILL) == 0)
    #expect(terminal.waitForEnd() == (words.isEmpty ? .killed(SIGKILL) : .exited(128 + SIGKILL)))
    #expect(terminal.damage == [])
  }

  @Test(arguments: [true, false])
  func `Ctrl-Z where no shell could continue the program gives the terminal back and takes it again`(
    isGuarded: Bool
  ) throws {
    let terminal =
      isGuarded ? try start("wait") : try PseudoTerminal([probe, "wait"], size: Size(width: 40, height: 10))
    #expect(terminal.waitFor("ready 40x10"))
    terminal.forgetOutput()
    terminal.send("\u{1A}")
    #expect(
      terminal.wait {
        terminal.text.contains("[?1049l") && terminal.screen.modes.isAlternate && !terminal.hasModesOfBefore
          && terminal.screen.contains("ready 40x10")
      }, "\(terminal.text)")
    terminal.send("q")
    #expect(terminal.waitForEnd() == .exited(0))
    #expect(terminal.damage == [])
  }
}
