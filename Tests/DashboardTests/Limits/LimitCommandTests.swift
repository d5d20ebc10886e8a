import Foundation
import Platform
import TestSupport
import Testing

@testable import DashboardCore

@Suite("Commands of limits")
struct LimitCommandTests {
  @Test("a command runs beside the program, with its variables and without input", .timeLimit(.minutes(2)))
  func run() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let text =
      "read line; echo \"$MISTERTOP_METRIC|$MISTERTOP_VALUE|$MISTERTOP_LIMIT|$MISTERTOP_TEXT|$line|$(id -u)\" > '\(pipe)'; echo noise"
    let command = LimitCommand(
      text: text, metric: "a.b \"$(x)\" ' ;", value: 2.5, limit: -1, words: "p95 2ms > 1ms")
    // It cannot have ended: no one reads the pipe yet.
    #expect(Shell.start(command) == nil)
    let written = try #require(FileHandle(forReadingAtPath: pipe)).readToEnd()
    let line = String(decoding: written ?? Data(), as: UTF8.self)
    #expect(line == "a.b \"$(x)\" ' ;|2.5|-1.0|p95 2ms > 1ms||\(getuid())\n")
  }

  @Test("a variable is known by the bytes of its name, whatever mark its value begins with")
  func variables() {
    #expect(ChildProgram.isVariable("MISTERTOP_METRIC=\u{301}x", among: ["MISTERTOP_METRIC"]))
    #expect(!ChildProgram.isVariable("MISTERTOP_METRICS=x", among: ["MISTERTOP_METRIC"]))
  }

  @Test("a command that fails, or is none, is no trouble", arguments: ["exit 3", "no-such-program", "(", ""])
  func failing(text: String) {
    #expect(Shell.start(LimitCommand(text: text, metric: "a", value: 1, limit: 1, words: "")) == nil)
  }
}
