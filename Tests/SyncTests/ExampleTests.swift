import Foundation
import TestSupport
import Testing

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
    #expect(files == ["metrics.jsonl", "notes.json", "notes.log", "output"])
  }
}
