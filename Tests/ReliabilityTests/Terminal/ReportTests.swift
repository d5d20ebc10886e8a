import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The guard's message and report after a crash, with hostile quotes and where nothing can be written.
@Suite("Crash reports", .serialized)
struct ReportTests {
  private func crash(_ terminal: PseudoTerminal) throws {
    #expect(terminal.waitFor("probe"))
    terminal.process.send(SIGSEGV)
    #expect(terminal.waitForEnd() == .killed(SIGSEGV))
    #expect(terminal.damage == [])
  }

  @Test func `A terminal obeys nothing of what a report and its line quote`() throws {
    let bench = try TerminalBench()
    let state = bench.folder.path("st\u{1B}[31m\u{9B}ä\nte")
    let folder = URL(fileURLWithPath: state).appendingPathComponent("mistertop")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("one\u{1B}[2J\u{0}two\u{7}\u{9B}ä\tthree\u{7F}\n".utf8 + [0x9B, 0x80, 0x0A])
      .write(to: folder.appendingPathComponent("mistertop.log"))
    let terminal = try bench.dashboard(environment: ["XDG_STATE_HOME": state])
    try crash(terminal)
    #expect(terminal.text.contains("; report: "))
    #expect(terminal.text.contains(#"st\x1B[31m\xC2\x9Bä\x0Ate/mistertop/crash-"#))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasPrefix("crash-") })
    let report = try Data(contentsOf: folder.appendingPathComponent(name))
    #expect(report.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 })
    let words = try #require(String(data: report, encoding: .utf8))
    #expect(words.contains("one\\x1B[2J\\x00two\\x07\\xC2\\x9Bä\tthree\\x7F\n\\x9B\\x80"))
  }

  @Test(
    arguments: [
      ("/proc/nope", ":", "No such file or directory"), ("small.jsonl", ":", "Not a directory"),
      ("state", "ulimit -f 0", "File too large"),
    ])
  func `Where no report can be written the line says why`(state: String, limits: String, reason: String)
    throws
  {
    let bench = try TerminalBench()
    let state = state.hasPrefix("/") ? state : bench.folder.path(state)
    let terminal = try bench.dashboardInShell(
      limits + "; exec \"$0\" \"$@\"", environment: ["XDG_STATE_HOME": state])
    try crash(terminal)
    #expect(terminal.text.contains("mistertop: crashed (SIGSEGV); no report: \(reason)\r\n"))
    #expect(try bench.reports == [])
  }

  @Test func `Without a home folder there is no report, and that is said`() throws {
    let terminal = try TerminalBench().probe(["wait", "guarded", ""])
    #expect(terminal.waitFor("ready"))
    terminal.process.send(SIGSEGV)
    #expect(terminal.waitForEnd() == .killed(SIGSEGV))
    #expect(terminal.text.contains("crashed (SIGSEGV); no report: there is no home folder\r\n"))
  }
}

#if os(Linux)
  /// A report's account of the place of a crash.
  extension ReportTests {
    private static let traps: [ChildProcess.Ending] = [.killed(SIGILL), .killed(SIGTRAP)]

    private func reportOfTrap(in bench: TerminalBench) throws -> String {
      let end = try bench.guardedProbe("trap").waitForEnd()
      #expect(end.map(Self.traps.contains) ?? false)
      return try bench.report
    }

    @Test func `A report names the build, and for each function on the stack a file and the place in it`()
      throws
    {
      let report = try reportOfTrap(in: TerminalBench())
      let digits = try #require(report.firstMatch(of: /\nbuild-id: ((?:[0-9a-f]{2}){8,})\n/)).1
      let bytes = stride(from: 0, to: digits.count, by: 2).map { start in
        UInt8(digits.dropFirst(start).prefix(2), radix: 16) ?? 0
      }
      let program = try Data(contentsOf: URL(fileURLWithPath: ChildProcess.program("terminal-probe")))
      #expect(program.range(of: Data(bytes)) != nil)
      let stack = try #require(report.split(separator: "backtrace:\n", maxSplits: 1).last)
        .prefix { $0 != ":" }.split(separator: "\n").filter { $0.first == " " }
      #expect(
        stack.first?.wholeMatch(of: #/ 0 (terminal-probe|libswiftCore\.so)\+0x[0-9a-f]+( \(.+\))?/#) != nil)
      #expect(stack.contains { $0.contains(" terminal-probe+0x") })
      #expect(stack.contains { $0.contains(" libc.so.6+0x") })
      // Neither folders nor addresses of the machine that it happened on.
      #expect(stack.allSatisfy { !$0.contains("/") && !$0.contains(" 0x") })
    }

    private static let hasSymbolizer = ["llvm-symbolizer", "swift"].allSatisfy(ChildProcess.isInstalled)

    /// The output of a report's command.
    private func names(in report: String, of program: String, bench: TerminalBench) throws -> String {
      let line = try #require(report.split(separator: "\n").first { $0.hasPrefix("llvm-symbolizer ") })
      let name = URL(fileURLWithPath: program).lastPathComponent
      #expect(line.contains(" --obj=\(name).debug 0x"))
      // A debug build is not split.
      let file = [program + ".debug", program].first(where: FileManager.default.fileExists) ?? program
      let command = String(line.replacing("--obj=\(name).debug", with: "--obj=\"$0\""))
      let output = bench.folder.path("names")
      #expect(try ChildProcess("sh", ["-c", command, file], output: output).wait() == .exited(0))
      return try String(contentsOfFile: output, encoding: .utf8)
    }

    @Test(.enabled(if: hasSymbolizer, "llvm-symbolizer or swift is not in PATH"))
    func `The command in a report names the function of the crash`() throws {
      let bench = try TerminalBench()
      let report = try reportOfTrap(in: bench)
      let names = try names(in: report, of: ChildProcess.program("terminal-probe"), bench: bench)
      // No line: CI builds the helpers without debug information. The shipped program has its lines always.
      #expect(names.contains("Death.strike() at "))
    }

    @Test(.enabled(if: hasSymbolizer, "llvm-symbolizer or swift is not in PATH"))
    func `The command in a report of the shipped program names functions and lines`() throws {
      var bench = try TerminalBench()
      try crash(bench.dashboard())
      // A signal that is sent may find a thread of the system, on whose stack the program has no function.
      for _ in 0..<3 where try !bench.report.contains("llvm-symbolizer ") {
        bench = try TerminalBench()
        try crash(bench.dashboard())
      }
      let names = try names(in: bench.report, of: ChildProcess.program("mistertop"), bench: bench)
      // Only the release build has lines wherever it is built (`make release-check`).
      let hasLines = ProcessInfo.processInfo.environment["MISTERTOP_BUILD"] != nil
      let place =
        hasLines ? #/ at .*/Sources/DashboardCore/Program/[A-Za-z+]+\.swift:[0-9]+/# : #/Program.* at /#
      #expect(names.contains(place))
    }
  }
#endif
