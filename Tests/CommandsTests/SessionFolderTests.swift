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
    let mine = try SessionFolder.make(process: ProcessInfo.processInfo.processIdentifier, in: parent.url)
    let theirs = try SessionFolder.make(process: dead, in: parent.url)
    let other = parent.url.appendingPathComponent("mistertop-demo-mine")
    try files.createDirectory(at: other, withIntermediateDirectories: false)
    for folder in [mine, theirs, other] {
      try Data("x".utf8).write(to: folder.appendingPathComponent("demo.jsonl"))
    }
    let link = parent.url.appendingPathComponent("mistertop-demo-\(dead + 1)-abcdefgh")
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
