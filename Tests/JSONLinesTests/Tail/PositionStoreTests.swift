import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

@Suite("The store of saved positions")
struct PositionStoreTests {
  private let folder: TemporaryFolder
  private let file = PositionFile(positions: [
    "/log": TailPosition(
      identity: FileIdentity(device: 7, inode: 8), modified: 9, mark: TailMark(offset: 300, bytes: [0, 255]))
  ])

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `It is put in place whole, for its owner alone`() throws {
    let path = folder.path("cursor")
    do {
      let store = try PositionStore(path: path)
      #expect(store.file == PositionFile() && !store.isDamaged)
      try store.save(file)
    }
    #expect(try PositionStore(path: path).file == file)
    #expect(try PosixFileSystem().names(in: folder.url.path) == ["cursor"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(throws: PositionStore.Refusal.failure(.missing)) {
      try PositionStore(path: folder.path("none/cursor"))
    }
  }

  @Test func `What is no cursor file is refused and left as it is`() throws {
    let big = String(repeating: "0123456789abcdef", count: 2 << 20)
    for text in ["thesis\n", Self.metric, "mistertop positions 3\n", "mistertop positions 1", big, "\n"] {
      let path = try folder.write(text, to: "other")
      #expect(throws: PositionStore.Refusal.foreign) { try PositionStore(path: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    mkfifo(folder.path("fifo"), 0o600)
    for path in [folder.path("fifo"), folder.url.path, "/dev/null", "/dev/zero"] {
      #expect(throws: PositionStore.Refusal.foreign) { try PositionStore(path: path) }
    }
    #expect(try PosixFileSystem().status(ofPath: folder.path("fifo")).kind == .fifo)
  }

  @Test func `A damaged one and an empty one hold no positions, and are written anew`() throws {
    let path = folder.path("cursor")
    for (bytes, isDamaged) in [(Array(file.encoded.dropLast(3)), true), ([], false)] {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let store = try PositionStore(path: path)
      #expect(store.isDamaged == isDamaged)
      #expect(store.file == PositionFile())
      try store.save(file)
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == file.encoded)
    }
  }

  @Test func `What could not be read back is not written`() throws {
    let path = folder.path("cursor")
    let size = file.encoded.count
    do {
      let store = try PositionStore(path: path, sizeLimit: size)
      try store.save(file)
      var more = file
      more.positions["/other"] = more.positions["/log"]
      #expect(throws: PositionStore.Refusal.tooLarge) { try store.save(more) }
    }
    #expect(try PositionStore(path: path, sizeLimit: size).file == file)
    let smaller = try PositionStore(path: path, sizeLimit: size - 1)
    #expect(smaller.isDamaged && smaller.file == PositionFile())
  }

  @Test func `What came into its place meanwhile is not replaced`() throws {
    let path = folder.path("cursor")
    let store = try PositionStore(path: path)
    try store.save(file)
    rename(try folder.write("thesis\n", to: "new"), path)
    #expect(throws: PositionStore.Refusal.foreign) { try store.save(PositionFile()) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "thesis\n")
    unlink(path)
    // Deleted, it is made again.
    try store.save(file)
    // Written over in place.
    TestFiles.overwrite(path, "thesis\n")
    #expect(throws: PositionStore.Refusal.foreign) { try store.save(PositionFile()) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "thesis\n")
  }

  @Test func `Files beside it with likely names are left alone, and leftovers of its own removed`() throws {
    for name in ["cursor.new", "cursor.tmp", ".cursor.mistertop-a"] {
      _ = try folder.write("mine\n", to: name)
    }
    symlink(folder.path("victim"), folder.path("cursor.lock"))
    let leftover = try folder.write("half", to: ".cursor.mistertop-aB3dE6")
    try FileManager.default.setAttributes([.modificationDate: Date() - 120], ofItemAtPath: leftover)
    let store = try PositionStore(path: folder.path("cursor"))
    try store.save(file)
    #expect(
      try Set(PosixFileSystem().names(in: folder.url.path))
        == ["cursor", "cursor.new", "cursor.tmp", "cursor.lock", ".cursor.mistertop-a"])
    #expect(try String(contentsOfFile: folder.path("cursor.new"), encoding: .utf8) == "mine\n")
  }

  @Test func `A link stays one, and what it leads to is written, be it there or not`() throws {
    mkdir(folder.path("far"), 0o700)
    for isThere in [false, true] {
      let (target, link) = (folder.path("far/\(isThere)"), folder.path("link \(isThere)"))
      if isThere { _ = try folder.write("", to: "far/true") }
      symlink("far/\(isThere)", link)
      try PositionStore(path: link).save(file)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "far/\(isThere)")
      #expect(try PositionStore(path: target).file == file)
    }
    let thesis = try folder.write("thesis\n", to: "thesis")
    symlink(thesis, folder.path("trap"))
    #expect(throws: PositionStore.Refusal.foreign) { try PositionStore(path: folder.path("trap")) }
  }

  @Test func `One at a time keeps it, before and after it was saved`() throws {
    let path = folder.path("cursor")
    symlink(path, folder.path("link"))
    var first: PositionStore? = try PositionStore(path: path)
    for _ in 0..<3 {
      #expect(throws: PositionStore.Refusal.taken) { try PositionStore(path: path) }
      #expect(throws: PositionStore.Refusal.taken) { try PositionStore(path: folder.path("link")) }
      try first?.save(file)
    }
    first = nil
    #expect(try PositionStore(path: path).file == file)
  }

  @Test func `What is read or written otherwise is known by whatever name`() throws {
    let path = try folder.write("", to: "app.jsonl")
    symlink("app.jsonl", folder.path("soft"))
    link(path, folder.path("hard"))
    let (other, dotted) = (folder.path("cursor"), folder.url.path + "/./app.jsonl")
    for name in [path, folder.path("soft"), folder.path("hard"), dotted] {
      #expect(PositionStore.isFollowed(name, by: [.file(path)], streams: []))
      #expect(PositionStore.isFollowed(path, by: [.file(name)], streams: []))
    }
    #expect(!PositionStore.isFollowed(other, by: [.file(path), .standardInput], streams: [-1]))
    let missing = folder.path("missing")
    #expect(PositionStore.isFollowed(missing, by: [.file(folder.url.path + "/./missing")], streams: []))
    #expect(PositionStore.isFollowed(folder.path("c.jsonl"), by: [.folder(folder.url.path)], streams: []))
    #expect(!PositionStore.isFollowed(other, by: [.folder(folder.url.path)], streams: []))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(PositionStore.isFollowed(path, by: [], streams: [descriptor]))
  }

  @Test func `An entry has one name however its folder is spelled`() throws {
    let system = PosixFileSystem()
    let real = try system.resolved(folder.url.path)
    mkdir(folder.path("in"), 0o700)
    symlink("in", folder.path("alias"))
    for path in ["in/app", "./in/app", "in/../in//app", "alias/app", "in/none/../app"] {
      #expect(Posix.entry(folder.url.path + "/" + path) == real + "/in/app", "\(path)")
    }
    #expect(Posix.entry("app") == (try system.resolved(".")) + "/app")
    #expect(Posix.entry(folder.path("none/deep/app")) == real + "/none/deep/app")
    #expect(Posix.entry("/app") == "/app")
  }

  private static let metric =
    "{\"metric\":{\"name\":\"a\",\"valueTypeString\":\"Int\"},\"timestamp\":1,\"value\":\"MQ==\"}\n"
}

/// Files written over as a shell's `>` does.
private enum TestFiles {
  static func overwrite(_ path: String, _ text: String) {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    _ = text.withCString { write(descriptor, $0, text.utf8.count) }
    close(descriptor)
  }
}
