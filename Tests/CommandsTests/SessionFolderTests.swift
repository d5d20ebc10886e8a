import Commands
import Foundation
import Platform
import TestSupport
import Testing

@Suite("What a killed demo leaves behind")
struct DemoFolderTests {
  // Beyond the numbers that processes can have.
  private let dead: Int32 = 2_000_000_000

  @Test(
    "the end of one removes no other folder that has its name now, and none is made where anybody may rename it"
  )
  func swapped() throws {
    let parent = try TemporaryFolder()
    let mine = try SessionFolder.make(process: dead, in: parent.url)
    let away = parent.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: mine.folder, to: away)
    try FileManager.default.createDirectory(at: mine.folder, withIntermediateDirectories: false)
    let kept = mine.folder.appendingPathComponent("thesis")
    try Data("x".utf8).write(to: kept)
    mine.remove()
    #expect(FileManager.default.fileExists(atPath: kept.path))
    try FileManager.default.removeItem(at: mine.folder)
    try FileManager.default.removeItem(at: away)
    let other = try SessionFolder.make(process: dead, in: parent.url)
    // As whatever cleans such places may do.
    try FileManager.default.removeItem(at: other.folder.appendingPathComponent(".session"))
    other.remove()
    #expect(try Posix.names(in: parent.url.path).isEmpty)
    #expect(chmod(parent.url.path, 0o777) == 0)
    #expect(throws: FileFailure.self) { try SessionFolder.make(process: dead, in: parent.url) }
    if geteuid() == 0 {
      // A group of others, and that of the account alone.
      #expect(chown(parent.url.path, 0, 65534) == 0 && chmod(parent.url.path, 0o775) == 0)
      #expect(throws: FileFailure.self) { try SessionFolder.make(process: dead, in: parent.url) }
      #expect(chown(parent.url.path, 0, 0) == 0)
      try SessionFolder.make(process: dead, in: parent.url).remove()
    }
    #expect(chmod(parent.url.path, 0o1777) == 0)
    try SessionFolder.make(process: dead, in: parent.url).remove()
    #expect(try Posix.names(in: parent.url.path).isEmpty)
  }

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
    theirs.close()
    defer { [mine, living].forEach { $0.close() } }
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

  @Test("where others may rename what is not theirs, nothing is removed either")
  func openParent() throws {
    let parent = try TemporaryFolder()
    let stale = try SessionFolder.make(process: dead, in: parent.url)
    stale.close()
    for (permissions, isLeft) in [(0o777, true), (0o1777, false)] {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: parent.url.path)
      SessionFolder.removeStale(in: parent.url, now: .now() + 120)
      #expect(FileManager.default.fileExists(atPath: stale.folder.path) == isLeft)
    }
  }
}
