import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@Suite("Names of files in a tail")
struct FileNameTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  @Test(
    "tell rotated files by their bytes",
    arguments: [
      ("e\u{301}.jsonl.1", "e\u{301}.jsonl", true), ("e\u{301}.jsonl.1", "\u{E9}.jsonl", false),
      ("\u{E9}.1.jsonl", "\u{E9}.jsonl", true), ("\u{E9}.1.jsonl", "e\u{301}.jsonl", false),
      ("\u{301}x.jsonl.1", "\u{301}x.jsonl", true), ("a\u{600}.jsonl.old", "a\u{600}.jsonl", true),
      ("a\u{600}.1.jsonl", "a\u{600}.jsonl", true), ("a.jsonl.1\u{301}", "a.jsonl", false),
    ])
  func rotated(_ name: String, _ original: String, _ isRotated: Bool) {
    #expect(RotatedName.isRotated(name, of: original) == isRotated)
    let originals = RotatedName.originals(of: name).map { PathKey($0) }
    #expect(originals.contains(PathKey(original)) == isRotated)
  }

  @Test(
    "tell numbers and dates of rotated files from words",
    arguments: [
      ("a.jsonl.1", true), ("a.jsonl-2026-11-21", true), ("a.1.jsonl", true), ("a.jsonl.bak", false),
      ("a.jsonl.old", false), ("a.jsonl", false),
    ])
  func numbered(_ name: String, _ isNumbered: Bool) {
    #expect(RotatedName.isNumbered(name, of: "a.jsonl") == isNumbered)
  }

  @Test func `Rotated files beside a path are found, packed or not`() throws {
    let folder = try TemporaryFolder()
    let names = [
      "a.jsonl", "a.jsonl.1", "a.jsonl.2.gz", "a.jsonl.old.gz", "a.jsonl.gz", "b.jsonl.1", "a.jsonl.tmp",
    ]
    for name in names { _ = try folder.write("", to: name) }
    try FileManager.default.createDirectory(
      atPath: folder.path("a.jsonl.3"), withIntermediateDirectories: false)
    let found = RotatedFile.beside(folder.path("a.jsonl")).sorted { PathKey($0.name) < PathKey($1.name) }
    #expect(found.map(\.name) == ["a.jsonl.1", "a.jsonl.2.gz", "a.jsonl.old.gz"])
    #expect(found.map(\.path) == found.map { folder.path($0.name) })
    #expect(found.map(\.isPacked) == [false, true, true])
    #expect(found.map(\.isNumbered) == [true, true, false])
  }

  @Test func `Every file of a folder is followed, and its position kept`() throws {
    let folder = try TemporaryFolder()
    let names = [
      "\u{E9}.jsonl", "e\u{301}.jsonl", "a\u{600}.jsonl", "\u{301}x.jsonl", ".\u{301}hidden.jsonl",
    ]
    for name in names {
      let path = PathParts.join(folder.url.path, name)
      #expect(FileManager.default.createFile(atPath: path, contents: Data((line(1) + "\n").utf8)))
    }
    let set = TailSet(sources: [.folder(folder.url.path)], watcher: PollingWatcher())
    set.look(at: MonotonicInstant(1))
    repeat { set.run(at: MonotonicInstant(1)) { _, _ in } } while set.isBusy
    let followed = Set(set.members.map { PathKey($0.path) })
    let expected = names.dropLast().map { PathKey(PathParts.join(folder.url.path, $0)) }
    #expect(set.members.count == 4 && followed == Set(expected))
    let positions = set.positions
    #expect(Set(positions.keys) == followed)
    #expect(PositionFile.decoded(PositionFile(positions: positions).encoded)?.positions == positions)
  }
}
