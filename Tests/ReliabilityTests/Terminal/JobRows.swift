import Foundation
import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// X8 to X10: stopped and continued, and a terminal that goes away.
extension FaultMatrix {
  @Test func `X8: stopped by SIGTSTP the terminal is as before, continued the picture is back`() async throws
  {
    try await Self.row("X8") { run in
      let terminal = try TerminalBench().dashboardAsJob()
      while run.goesOn() {
        guard Self.isBack(terminal) else {
          return run.judge(
            terminal, faults: ["no picture: \(terminal.text.suffix(300))"], "round \(run.done)")
        }
        let job = try #require(terminal.descendants.first)
        terminal.forgetOutput()
        switch run.done % 3 {
        case 0: terminal.send("\u{1A}")
        case 1: kill(job, SIGTSTP)
        default: kill(try #require(terminal.descendants.last), SIGTSTP)
        }
        let isStopped = terminal.wait { terminal.text.contains("job-stopped") }
        run.judge(
          terminal, faults: terminal.damage + (isStopped ? [] : ["not stopped"]), "stop \(run.done)")
        terminal.send("\n")
      }
      Self.checkPicture(terminal, in: &run)
    }
  }

  @Test
  func `X9: stopped without warning, terminal reset by the shell, continued: modes and picture are back`()
    async throws
  {
    try await Self.row("X9") { run in
      let terminal = try TerminalBench().dashboardAsJob()
      while run.goesOn() {
        guard Self.isBack(terminal) else {
          return run.judge(
            terminal, faults: ["no picture: \(terminal.text.suffix(300))"], "round \(run.done)")
        }
        let job = try #require(terminal.descendants.first)
        terminal.forgetOutput()
        switch run.done % 3 {
        case 0: kill(-job, SIGSTOP)
        case 1: kill(job, SIGSTOP)
        default: kill(try #require(terminal.descendants.last), SIGSTOP)
        }
        let isStopped = terminal.wait { terminal.text.contains("job-stopped") }
        terminal.resetModes()
        terminal.send("\n")
        // The line that was typed at the shell is echoed, sooner or later; the program itself never writes this byte.
        let isEchoed = isStopped && terminal.wait { terminal.output.contains(10) }
        let isBack = isEchoed && Self.isBack(terminal)
        terminal.forgetViolations(containing: "byte 10")
        run.judge(
          terminal, faults: isBack ? [] : ["not back: \(terminal.text.suffix(100))"], "stop \(run.done)")
        guard isBack else { return }
      }
      Self.checkPicture(terminal, in: &run)
    }
  }

  /// True if the picture is there in the modes of the program, and nothing of the shell in it.
  private static func isBack(_ terminal: PseudoTerminal) -> Bool {
    terminal.wait {
      terminal.screen.modes.isAlternate && terminal.screen.contains("probe") && !terminal.hasModesOfBefore
        && !terminal.screen.contains("job-stopped")
    }
  }

  private static func checkPicture(_ terminal: PseudoTerminal, in run: inout MatrixRun) {
    run.judge(terminal, faults: isBack(terminal) ? [] : ["no picture at the end"], "end")
    terminal.send("q")
    run.judge(terminal, endsBy: [.exited(0)], within: 10, "q")
  }

  @Test func `X10: a terminal that goes away ends the program soon, without work and with an error`()
    async throws
  {
    try await Self.row("X10") { run in
      var (slowest, most) = (0.0, 0.0)
      while run.goesOn() {
        let bench = try TerminalBench()
        let way = run.done % 4
        let before = processorTime()
        let terminal = try Self.start(way, bench)
        guard terminal.waitFor("probe"), let program = terminal.descendants.first else {
          run.judge(terminal, faults: ["no picture"], "way \(way)")
          continue
        }
        let used = usedTime(of: [program, terminal.process.identifier])
        let start = ContinuousClock.now
        terminal.hangUp()
        let end = terminal.waitForEnd(4)
        let time = start.duration(to: .now) / .seconds(1)
        slowest = max(slowest, time)
        // The clock of the machine's books ticks a hundred times a second.
        let work = processorTime() - before - used
        most = max(most, work)
        var faults = time > 2 ? ["took \(time) s"] : []
        if end == nil || end == .exited(0) { faults.append("ended as \(String(describing: end))") }
        if work > 0.1 + 0.04 { faults.append("worked for \(work) s") }
        if try !bench.reports.isEmpty { faults.append("crashed") }
        run.judge(faults: faults, "way \(way)")
      }
      run.noteSlowest(slowest)
      run.note += String(format: ", at most %.0f ms of work", most * 1000)
    }
  }

  /// A plain terminal, one whose hang-up is ignored, one without standard input, one whose errors go elsewhere.
  private static func start(_ way: Int, _ bench: TerminalBench) throws -> PseudoTerminal {
    // Wider than what is taken for the size of a terminal that says none, as one that has gone does.
    let size = Size(width: 160, height: 50)
    return switch way {
    case 0: try bench.dashboard(size: size)
    case 1: try bench.dashboard(size: size, ignoring: "HUP")
    case 2: try bench.dashboardInShell("exec \"$0\" \"$@\" <&-", size: size)
    default:
      try bench.dashboardInShell("trap '' HUP; exec \"$0\" \"$@\" </dev/null 2>/dev/null", size: size)
    }
  }
}

/// Seconds of processor time of all children that have been waited for.
private func processorTime() -> Double {
  var usage = rusage()
  // RUSAGE_CHILDREN, which the C libraries give different types.
  getrusage(-1, &usage)
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

/// Seconds of processor time that running processes have used so far (Linux).
private func usedTime(of processes: [pid_t]) -> Double {
  processes.reduce(0) { $0 + ProcessFacts($1).seconds }
}
