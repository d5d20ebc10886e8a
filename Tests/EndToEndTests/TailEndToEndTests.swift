import Foundation
import TestSupport
import Testing

@Suite("mistertop tail as a process")
struct TailEndToEndTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `Ends when its reader does, be there something to print or not`() throws {
    let path = try folder.write(Fixture.line("1", name: "probe", time: 100), to: "app.jsonl")
    let program = try ChildProcess.program("mistertop")
    let shell = try ChildProcess(
      "bash", ["-c", "'\(program)' tail '\(path)' | head -1; echo \"${PIPESTATUS[0]}\""],
      output: folder.path("out"))
    #expect(shell.wait(upTo: .seconds(20)) == .exited(0))
    let lines = try String(contentsOfFile: folder.path("out"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("app.probe  1") == true)
    #expect(lines.last == "141")
  }
}
