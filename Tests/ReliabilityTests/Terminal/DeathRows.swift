import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// X5 to X7: whatever ends the program, the terminal is as before.
extension FaultMatrix {
  private static let signals = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGALRM, SIGUSR1,
    SIGUSR2,
    SIGPIPE, SIGXFSZ, SIGSYS,
  ]
  private static let crashes = [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS]

  /// A way for the probe to end itself, and the end expected.
  private static let ways: [(way: String, ends: [ChildProcess.Ending])] = [
    ("trap", [.killed(SIGILL), .killed(SIGTRAP)]), ("trap-thread", [.killed(SIGILL), .killed(SIGTRAP)]),
    ("trap-task", [.killed(SIGILL), .killed(SIGTRAP)]), ("overflow", [.killed(SIGSEGV), .killed(SIGBUS)]),
    ("overflow-thread", [.killed(SIGSEGV), .killed(SIGBUS)]),
    ("overflow-task", [.killed(SIGSEGV), .killed(SIGBUS)]),
    ("exit", [.exited(7)]), ("exit-thread", [.exited(7)]), ("exit-task", [.exited(7)]),
  ]

  @Test func `X5: sixteen signals at random times leave the terminal as it was`() async throws {
    try await Self.row("X5") { run in
      var slowest = 0.0
      while run.goesOn() {
        var generator = SeededGenerator(seed: run.seed)
        for signal in Self.signals {
          let bench = try TerminalBench()
          let terminal = try bench.dashboard()
          // From before it has the terminal to long after its first picture. Not while its libraries are loaded: there
          // the handlers of the runtime, which is one of them in these builds, come before any code of the program.
          _ = terminal.wait { !terminal.descendants.isEmpty }
          _ = terminal.wait(Double.random(in: 0...0.15, using: &generator)) { false }
          let target = Bool.random(using: &generator) ? terminal.descendants.first : nil
          kill(target ?? terminal.process.identifier, signal)
          slowest = max(slowest, run.judge(terminal, endsBy: [.killed(signal)], "signal \(signal)"))
        }
      }
      run.noteSlowest(slowest)
    }
  }

  @Test func `X6: deaths that cannot be caught, on any thread, leave the terminal as it was and a report`()
    async throws
  {
    try await Self.row("X6") { run in
      var slowest = 0.0
      while run.goesOn() {
        for (way, ends) in Self.ways {
          slowest = max(slowest, try Self.die(way, ends, in: &run))
        }
        let kills: [ChildProcess.Ending] = [
          .killed(SIGILL), .killed(SIGTRAP), .killed(SIGABRT), .killed(SIGSEGV),
        ]
        slowest = max(slowest, try Self.die("memory", kills, limits: "ulimit -v 400000", in: &run))
        slowest = max(slowest, try Self.killFromOutside(in: &run))
      }
      run.noteSlowest(slowest)
    }
  }

  @Test func `X6 is red without the guard`() async throws {
    try await Self.control("X6", without: "the guard") { run in
      let bench = try TerminalBench()
      let killed = try bench.probe(["wait"])
      #expect(killed.waitFor("ready"))
      killed.process.send(SIGKILL)
      run.judge(killed, endsBy: [.killed(SIGKILL)], "SIGKILL")
      run.judge(
        try bench.probe(["overflow-thread"]), endsBy: [.killed(SIGSEGV), .killed(SIGBUS)], "overflow-thread")
      #expect(run.tally.bad == 2)
    }
  }

  @Test func `X7: the crash handler of the language never holds the terminal`() async throws {
    try await Self.row("X7") { run in
      var slowest = 0.0
      while run.goesOn() {
        var generator = SeededGenerator(seed: run.seed)
        let early = try TerminalBench().probe(["at-once"])
        run.judge(early, endsBy: [.killed(SIGILL), .killed(SIGTRAP)], "at once")
        for (way, ends) in Self.ways.prefix(6) {
          let terminal = try TerminalBench().guardedProbe(way)
          slowest = max(slowest, run.judge(terminal, endsBy: ends, way))
        }
        for signal in Self.crashes {
          let terminal = try TerminalBench().dashboard()
          _ = terminal.wait { !terminal.descendants.isEmpty }
          _ = terminal.wait(Double.random(in: 0...0.06, using: &generator)) { false }
          terminal.process.send(signal)
          slowest = max(slowest, run.judge(terminal, endsBy: [.killed(signal)], "signal \(signal)"))
        }
      }
      run.noteSlowest(slowest)
    }
  }

  @Test func `X7 is red without the quiet start`() async throws {
    try await Self.control("X7", without: "the quiet start") { run in
      // A variable that is set stays as it is.
      let terminal = try TerminalBench().probe(["at-once"], environment: ["SWIFT_BACKTRACE": "enable=yes"])
      _ = terminal.wait(5) { terminal.text.contains("Press space") || !terminal.process.isRunning }
      run.judge(terminal, endsBy: [.killed(SIGILL), .killed(SIGTRAP)], within: 0.5, "trap")
    }
  }

  private static func die(
    _ way: String, _ ends: [ChildProcess.Ending], limits: String = ":", in run: inout MatrixRun
  ) throws -> Double {
    let bench = try TerminalBench()
    let terminal = try bench.guardedProbe(way, limits: limits)
    let time = run.judge(terminal, endsBy: ends, way)
    guard case .killed = ends[0] else { return time }
    let reports = try bench.reports
    let words = try bench.report
    let mode = try reports.first.map {
      try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
    }
    // The line is on the screen that was there before.
    let isSaid =
      terminal.text.contains("terminal-probe: crashed (SIG") && terminal.text.contains("; report: ")
    let isWhole = reports.count == 1 && words.contains("backtrace") && mode == 0o600 && isSaid
    // A thread without stack could not say where it was, and the C library's `abort` keeps no chain of frames.
    let knowsPlace =
      words.contains("terminal-probe+0x") || way.hasPrefix("overflow-") || way == "memory"
    run.judge(faults: isWhole && knowsPlace ? [] : ["report: \(words.prefix(200))"], way)
    return time
  }

  /// SIGKILL for the program, for its guard, and for the demo, whose files go with it.
  private static func killFromOutside(in run: inout MatrixRun) throws -> Double {
    let bench = try TerminalBench()
    let program = try bench.dashboard()
    #expect(program.waitFor("probe"))
    kill(try #require(program.descendants.first), SIGKILL)
    let time = run.judge(program, endsBy: [.killed(SIGKILL)], "SIGKILL")
    try Self.killUnderEditor(in: &run)
    // Without the hang-up, which comes only because the guard leads the session here and which would end the program.
    for ignored in ["HUP", "TERM HUP"] {
      let orphan = try bench.dashboard(ignoring: ignored)
      #expect(orphan.waitFor("probe"))
      try Self.killGuard(of: orphan, in: &run)
      let orphanedDemo = try bench.dashboard(["demo"], ignoring: ignored)
      #expect(orphanedDemo.waitFor("LIVE"))
      try Self.killGuard(of: orphanedDemo, in: &run)
    }
    let demo = try bench.dashboard(["demo"])
    #expect(demo.waitFor("LIVE"))
    kill(try #require(demo.descendants.first), SIGKILL)
    run.judge(demo, endsBy: [.killed(SIGKILL)], "SIGKILL of the demo")
    let litter = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
      .filter { $0.hasPrefix("mistertop-demo") }
    run.judge(faults: litter, "what the demo leaves behind")
    return time
  }

  /// SIGKILL for the program while an editor has the terminal: the editor ends with it.
  private static func killUnderEditor(in run: inout MatrixRun) throws {
    let bench = try TerminalBench()
    let begun = bench.folder.path("begun")
    // As a job: the end of the first process of a session would hang up on everybody.
    let terminal = try bench.dashboardAsJob(
      environment: ["EDITOR": try bench.editor(begun, then: "sleep 60")])
    guard let process = TerminalBench.openEditor(begun, in: terminal),
      let program = terminal.descendants.dropFirst().first
    else { return run.judge(faults: ["no editor"], "editor of a killed program") }
    kill(program, SIGKILL)
    let isOver = terminal.wait(3) { kill(process, 0) != 0 || ProcessFacts(process).state == "Z" }
    run.judge(faults: isOver ? [] : ["the editor goes on"], "editor of a killed program")
  }

  /// SIGKILL for the guard; the program then leaves by itself.
  private static func killGuard(of terminal: PseudoTerminal, in run: inout MatrixRun) throws {
    let left = try #require(terminal.descendants.first)
    terminal.process.send(SIGKILL)
    let isOver = terminal.wait { kill(left, 0) != 0 || ProcessFacts(left).state == "Z" }
    run.judge(faults: isOver ? [] : ["goes on without its guard"], "SIGKILL of the guard")
    run.judge(terminal, endsBy: [.killed(SIGKILL)], "SIGKILL of the guard")
  }
}
