import Commands
import Foundation
import Platform
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
    // In another container, where its number is its own.
    let living = try SessionFolder.make(process: dead - 1, in: parent.url)
    let theirs = try SessionFolder.make(process: dead, in: parent.url)
    Posix.close(theirs.lock)
    defer { [mine.lock, living.lock].forEach(Posix.close) }
    let other = parent.url.appendingPathComponent("mistertop-demo-mine")
    // One that somebody has given the name of a session's.
    let renamed = parent.url.appendingPathComponent("mistertop-demo-\(dead)-renamed")
    for folder in [other, renamed] {
      try files.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    for folder in [mine.folder, living.folder, theirs.folder, other, renamed] {
      try Data("x".utf8).write(to: folder.appendingPathComponent("demo.jsonl"))
    }
    let link = parent.url.appendingPathComponent("mistertop-demo-\(dead + 1)-abcdefgh")
    try files.createSymbolicLink(at: link, withDestinationURL: elsewhere.url)
    SessionFolder.removeStale(in: parent.url, now: .now())
    #expect(files.fileExists(atPath: theirs.folder.path), "it is new")
    SessionFolder.removeStale(in: parent.url, now: .now() + 120)
    #expect(!files.fileExists(atPath: theirs.folder.path))
    for left in [
      mine.folder.path, living.folder.path, other.path, renamed.path, link.path, elsewhere.path("kept"),
    ] {
      #expect(files.fileExists(atPath: left))
    }
  }
}
