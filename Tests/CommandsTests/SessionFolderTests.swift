import Commands
import Foundation
import TestSupport
import Testing

@Suite("What a killed demo leaves behind")
struct DemoFolderTests {
  // Beyond the numbers that processes can have.
  private let dead: Int32 = 2_000_000_000

  @Test("a following demo removes the folders of the dead, and nothing else")
  func stale() throws {
    let files = FileManager.default
    let parent = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    _ = try elsewhere.write("", to: "kept")
    let mine = SessionFolder.url(process: ProcessInfo.processInfo.processIdentifier, in: parent.url)
    let theirs = SessionFolder.url(process: dead, in: parent.url)
    let other = parent.url.appendingPathComponent("mistertop-demo-mine")
    for folder in [mine, theirs, other] {
      try files.createDirectory(at: folder, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: folder.appendingPathComponent("demo.jsonl"))
    }
    let link = SessionFolder.url(process: dead + 1, in: parent.url)
    try files.createSymbolicLink(at: link, withDestinationURL: elsewhere.url)
    SessionFolder.removeStale(in: parent.url, now: Date())
    #expect(files.fileExists(atPath: theirs.path), "it has just been written to")
    SessionFolder.removeStale(in: parent.url, now: Date() + 120)
    #expect(!files.fileExists(atPath: theirs.path))
    for left in [mine.path, other.path, link.path, elsewhere.path("kept")] {
      #expect(files.fileExists(atPath: left))
    }
  }
}
