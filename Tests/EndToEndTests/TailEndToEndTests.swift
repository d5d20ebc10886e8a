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

  @Test func `A cursor file that cannot be read or believed is told`() throws {
    let path = try folder.write(Fixture.line("1", name: "probe", time: 100), to: "app.jsonl")
    let (status, output) = try Shell.mistertop("tail", "--cursor-file", folder.url.path, path)
    #expect(status == 1)
    #expect(output == "mistertop tail: \(folder.url.path) cannot be read: Is a directory\n")
    let cursor = try folder.write("no cursor\n", to: "cursor")
    let tail = try ChildProcess(
      try ChildProcess.program("mistertop"), ["tail", "--cursor-file", cursor, path],
      output: folder.path("out"))
    let deadline = Date().addingTimeInterval(20)
    var text = ""
    while Date() < deadline, !text.contains("app.probe") {
      text = (try? String(contentsOfFile: folder.path("out"), encoding: .utf8)) ?? ""
      usleep(5_000)
    }
    #expect(
      text.contains("mistertop tail: \(cursor) is damaged or no cursor file, so it begins as without one\n"))
    #expect(text.contains("app.probe  1\n"))
    tail.send(SIGINT)
    #expect(tail.wait(upTo: .seconds(20)) == .killed(SIGINT))
    #expect(try String(contentsOfFile: cursor, encoding: .utf8).hasPrefix("mistertop positions 1\n"))
  }
}
