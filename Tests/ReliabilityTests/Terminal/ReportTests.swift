import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the guard says and writes after a crash, where what it quotes is hostile and where nothing can be written.
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
    #expect(words.contains(#"one\x1B[2J\x00two\x07\xC2\x9Bä"# + "\t" + #"three\x7F"# + "\n" + #"\x9B\x80"#))
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
