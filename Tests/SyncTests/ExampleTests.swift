import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@testable import SyncSimulation

@Suite("The example of a sync engine in docs/library.md")
struct ExampleTests {
  private var root: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The block of code after a line.
  private func block(_ start: String, in text: String) -> String? {
    guard let begin = text.range(of: start + "\n"),
      let end = text.range(of: "```\n", range: begin.upperBound..<text.endIndex)
    else { return nil }
    return String(text[begin.upperBound..<end.lowerBound])
  }

  @Test("the guide shows the program that is built, and the excerpt is a part of it")
  func shown() throws {
    let guide = try text("docs/library.md")
    let program = try text("Tests/Examples/sync-notes/main.swift")
    let shown = block("<!-- sync-notes: Tests/Examples/sync-notes/main.swift -->\n```swift", in: guide)
    #expect(shown == program)
    let section = try #require(guide.range(of: "## Keep an app's data in sync"))
    let excerpt = try #require(block("```swift", in: String(guide[section.lowerBound...])))
    #expect(excerpt.split(separator: "\n").allSatisfy { program.contains($0) })
  }

  @Test("the program compiles, syncs with its own server, and prints what the guide says")
  func runs() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("output")
    let status = try ChildProcess(try ChildProcess.program("sync-notes"), [folder.url.path], output: output)
      .wait()
    #expect(status == .exited(0))
    let printed = try String(contentsOfFile: output, encoding: .utf8)
    let guide = try text("docs/library.md")
    let section = try #require(guide.range(of: "It prints:\n"))
    #expect(block("```text", in: String(guide[section.lowerBound...])) == printed)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(
      files == [
        ".metrics.jsonl.lock", "metrics.jsonl", "notes.json", "notes.sqlite", "notes.sqlite-lock",
        "notes.sqlite-wal", "notes.sqlite-wal-reserve",
        "output",
      ])
  }

  /// A program's record of its engine.
  private func recorded(in folder: TemporaryFolder) async throws -> [RecordedEntry] {
    let store = try MetricFileStore(file: folder.url.appendingPathComponent("metrics.jsonl"))
    var entries: [RecordedEntry] = []
    for try await entry in store.entries() {
      if let recorded = RecordedEntry(entry) { entries.append(recorded) }
    }
    return entries
  }

  @Test(
    "what the program records of a server in trouble becomes a scenario with the same decisions",
    arguments: ["429", "503", "login", "silent"])
  func trouble(server: String) async throws {
    let folder = try TemporaryFolder()
    let program = try ChildProcess(
      try ChildProcess.program("sync-notes"), [folder.url.path], environment: ["NOTES_SERVER": server])
    if server == "silent" {
      // It waits for an answer until it is killed.
      let limit = ContinuousClock.now + .seconds(60)
      while try await !recorded(in: folder).contains(where: { $0.transition != nil }), .now < limit {
        usleep(10_000)
      }
      #expect(program.kill() == .killed(SIGKILL))
    } else {
      #expect(program.wait() == .exited(0))
    }
    let entries = try await recorded(in: folder)
    let found = try Reproduction(
      of: entries, until: try #require(entries.last?.time), window: 1e6, name: "Notes")
    #expect(found.difference == nil, "\(found.difference ?? "")")
    #expect(found.decisions == (server == "silent" ? 1 : 2))
    #expect(try Scenario(json5: Data(found.scenario.json5.utf8)) == found.scenario)
  }
}
