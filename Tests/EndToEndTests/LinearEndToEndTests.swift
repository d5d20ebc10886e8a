import Foundation
import TestSupport
import Testing

/// The dashboard without a screen: lines in, lines out.
@Suite("The dashboard in lines")
struct LinearEndToEndTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(Fixture.app(), to: "app.jsonl")
  }

  private func expectPlain(_ output: String) {
    let isDrawn = output.unicodeScalars.contains {
      $0 == "\u{1b}" || (0x2190...0x28FF).contains($0.value) || ($0.value < 0x20 && $0 != "\n")
    }
    #expect(!isDrawn, "\(output)")
  }

  @Test("answers what is piped to it, and leaves at its end")
  func piped() throws {
    let input = "2\n1\nD\n0\n/push\n:sort p95\n:nonsense\nq\n"
    let (status, output) = try Shell.run(
      try Shell.program, ["--linear", path], environment: ["LC_ALL": "C.UTF-8", "TERM": "dumb"], input: input)
    #expect(status == 0)
    #expect(output.contains("1 what is wrong\n"))
    #expect(output.contains("1 describe again, 2 newest samples, 3 compare, 0 back\n"))
    #expect(output.contains("Unknown command \"nonsense\""))
    expectPlain(output)
    let unended = try Shell.run(
      try Shell.program, ["--linear", path], environment: ["LC_ALL": "C.UTF-8"], input: "D")
    #expect(unended.status == 0)
    #expect(unended.output.contains("metrics, worst first"))
  }

  @Test("is what a dumb terminal gets, where lines are typed one by one")
  func dumb() throws {
    let program = try Shell.program
    let tmux = try Tmux(
      width: 100, height: 40, command: "TERM=dumb \(program) \"\(path)\"",
      environment: ["TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache")])
    try tmux.waitFor("1 what is wrong")
    #expect(try !tmux.isAlternateScreen())
    try tmux.type("2", "Enter")
    try tmux.waitFor("0 back")
    try tmux.type("1", "Enter")
    try tmux.waitFor("1 describe again")
    try tmux.type("q", "Enter", "q", "Enter")
    expectPlain(try tmux.waitFor("[ended 0]").joined(separator: "\n"))
  }

  @Test("tells what changes as it comes, a line each")
  func changes() throws {
    let program = try Shell.program
    let tmux = try Tmux(
      width: 100, height: 40, command: "\(program) --linear \"\(path)\"",
      environment: ["TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache")])
    try tmux.waitFor("1 what is wrong")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("no sample\n".utf8))
    try tmux.waitFor("a line cannot be read")
    try tmux.type("6", "Enter")
    try tmux.waitFor("is not valid JSON")
    try tmux.type("C-d")
    try tmux.waitFor("[ended 0]")
  }
}
