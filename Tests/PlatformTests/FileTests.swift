import Foundation
import Platform
import TestSupport
import Testing

@Suite("files")
struct FileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func names() throws -> [String] { try Posix.names(in: folder.url.path).sorted() }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("a failure says what was tried, and equals those to which programs react alike")
  func failures() throws {
    let missing = folder.path("none/file")
    let failure = #expect(throws: FileFailure.missing) { try Posix.open(missing) }
    #expect(failure?.message == "cannot open \(missing): No such file or directory")
    #expect(failure?.text == "No such file or directory")
    #expect(failure?.number == ENOENT)
    #expect(FileFailure(number: ENOTDIR) == .missing && FileFailure(number: EPERM) == .denied)
    #expect(FileFailure(number: ENFILE) == .exhausted && FileFailure.other(EIO) != .other(ENOSPC))
  }

  @Test("what only says that it is empty is not taken for an empty file")
  func noFile() throws {
    #expect(throws: POSIXError(.EISDIR)) { try ReadableFile(path: folder.url.path) }
    for device in ["/dev/zero", "/dev/null"] {
      #expect(throws: POSIXError(.ENODEV)) { try ReadableFile(path: device) }
    }
    #if os(Linux)
      #expect(throws: POSIXError(.EOPNOTSUPP)) { try ReadableFile(path: "/proc/uptime") }
    #endif
    let empty = try ReadableFile(path: try folder.write("", to: "empty"))
    #expect(try empty.size == 0)
    empty.close()
  }

  @Test(
    "a file keeps its birth, whatever is written to it; a later one is not older than the end of the former one"
  )
  func birth() throws {
    let path = try folder.write("abc", to: "a")
    let first = try Posix.open(path)
    defer { Posix.close(first) }
    // Not every file system says it.
    guard let born = Posix.birth(of: first) else { return }
    try Data("abcdef".utf8).write(to: URL(fileURLWithPath: path))
    try Posix.rename(path, to: folder.path("b"))
    #expect(Posix.birth(of: first) == born)
    let second = try Posix.open(folder.write("new", to: "a"))
    defer { Posix.close(second) }
    #expect(try #require(Posix.birth(of: second)) >= born)
  }

  @Test("a file keeps its identity under a new name")
  func identity() throws {
    let path = try folder.write("abc", to: "a")
    let before = try Posix.status(ofPath: path)
    #expect(before.kind == .regular && before.size == 3 && before.links == 1)
    try Posix.rename(path, to: folder.path("b"))
    #expect(Posix.status(at: path) == nil)
    #expect(Posix.status(at: folder.path("b"))?.identity == before.identity)
    #expect(Posix.status(at: folder.url.path)?.kind == .directory)
    #expect(Posix.status(at: "/dev/null")?.kind == .device)
  }

  @Test("bytes are appended, read at a place and cut off")
  func bytes() throws {
    let descriptor = try Posix.openRegular(folder.path("a"), .appending, creating: 0o644)
    defer { Posix.close(descriptor) }
    try Array("hello world".utf8).withTypedBytes { bytes throws(FileFailure) in
      try Posix.write(bytes, to: descriptor) { descriptor, rest in
        FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: rest.prefix(4)))
      }
    }
    try Posix.sync(descriptor, path: "a")
    var room = [UInt8](repeating: 0, count: 5)
    let count = try room.withUnsafeMutableBytes { try Posix.read(descriptor, into: $0, at: 6) }
    #expect(count == 5 && room == Array("world".utf8))
    try Posix.truncate(descriptor, to: 5)
    #expect(try text("a") == "hello")
    #expect(try Posix.dataStart(in: descriptor, from: 2) == 2)
  }

  @Test("a lock keeps other handles out")
  func lock() throws {
    let path = folder.path("a")
    let (one, two) = (try Posix.openRegular(path, .appending, creating: 0o644), try Posix.open(path))
    defer { [one, two].forEach(Posix.close) }
    #expect(try Posix.lock(one))
    #expect(try !Posix.lock(two, wait: .zero))
    Posix.unlock(one)
    #expect(try Posix.lock(two, shared: true, wait: .zero) && Posix.lock(one, shared: true, wait: .zero))
  }

  @Test("a file that is opened alone is made with its folders, and is whose who has its name")
  func alone() throws {
    let path = folder.path("one/two/a")
    let one = try #require(try Posix.openAlone(path, permissions: 0o600, with: .system))
    #expect(Posix.status(at: path)?.permissions == 0o600)
    #expect(try Posix.openAlone(path, permissions: 0o600, with: .system) == nil)
    Posix.unlink(path)
    let two = try #require(try Posix.openAlone(path, permissions: 0o600, with: .system))
    [one, two].forEach(Posix.close)
    #expect(throws: FileFailure.self) {
      try Posix.openAlone(folder.url.path, permissions: 0o600, with: .system)
    }
  }

  @Test("bytes at a place are read in as many calls as it takes, and end with the file")
  func manyReads() throws {
    let descriptor = try Posix.open(try folder.write("hello world", to: "a"))
    defer { Posix.close(descriptor) }
    let bytes = try Posix.read(descriptor, at: 2, count: 100) { descriptor, buffer, offset in
      FileOperations.system.read(
        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(3)), offset)
    }
    #expect(bytes == Array("llo world".utf8))
    #expect(Array(DamagedFile.names(for: "/a").prefix(2)) == ["/a.damaged", "/a.damaged-2"])
  }

  @Test("folders are made from the uppermost down, and only those that are missing")
  func folders() throws {
    let file = folder.path("one/two/file")
    #expect(try Posix.createFolder(of: file) == [folder.path("one"), folder.path("one/two")])
    #expect(try Posix.createFolder(of: file) == [])
    try Posix.syncFolder(of: file)
    #expect(throws: FileFailure.self) { try Posix.createFolder(of: "/dev/null/one/file") }
  }

  @Test("a path without links is found for what is not there yet")
  func places() throws {
    let real = try Posix.realPath(folder.url.path)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
    #expect(Posix.place(of: folder.path("link")) == real + "/target")
    #expect(Posix.place(of: folder.path("./new/../new/file")) == real + "/new/file")
    #expect(Posix.entry(folder.path("link")) == real + "/link")
    #expect(Posix.resolved(folder.path("none")) == folder.path("none"))
    #expect(PathParts("a") == PathParts("./a") && PathParts("/a").directory == "/")
  }

  @Test("a replacement takes its place whole, or leaves no trace")
  func replacement() throws {
    let path = try folder.write("old", to: "a")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a")
    do {
      let file = try ReplacementFile(for: folder.path("link"), links: .followed)
      try file.write(Array("new".utf8))
      #expect(try text("a") == "old")
      try file.putInPlace()
    }
    #expect(try text("a") == "new" && names() == ["a", "link"])
    do {
      let file = try ReplacementFile(for: path)
      try file.write(Array("lost".utf8))
      #expect(try names().count == 3)
    }
    #expect(try text("a") == "new" && names() == ["a", "link"])
    #expect(Posix.status(at: path).map { $0.permissions } == 0o600)
  }

  @Test("a free place is taken once")
  func freePlace() throws {
    let path = folder.path("a")
    let (first, second) = (try ReplacementFile(for: path), try ReplacementFile(for: path))
    try first.putInFreePlace()
    #expect(throws: FileFailure.other(EEXIST)) { try second.putInFreePlace() }
  }

  @Test("of a certain file the place is taken, and not of one that was brought there in the last moment")
  func certainPlace() throws {
    let path = try folder.write("old", to: "a")
    let old = try #require(Posix.status(at: path)).identity
    do {
      let file = try ReplacementFile(for: path)
      let place = try file.putInPlace(of: old) {
        #expect(rename(path, folder.path("a.1")) == 0)
        _ = try? folder.write("another", to: "a")
        return path
      }
      #expect(place == nil)
    }
    #expect(try names() == ["a", "a.1"] && text("a") == "another" && text("a.1") == "old")
    let file = try ReplacementFile(for: path)
    try file.write(Array("new".utf8))
    #expect(try file.putInPlace(of: old) { folder.path("a.1") } == folder.path("a.1"))
    #expect(try names() == ["a", "a.1"] && text("a") == "another" && text("a.1") == "new")
    // The file in its place stays, and it goes from there.
    #expect(rename(folder.path("a.1"), folder.path("b")) == 0 && rename(path, folder.path("a.1")) == 0)
    try file.takeBack()
    #expect(try names() == ["a.1", "b"] && text("a.1") == "another")
    #expect(rename(folder.path("b"), folder.path("a.1")) == 0)
    try file.takeBack()
    #expect(try names() == [])
  }

  @Test("a locked replacement has one name, and uses what a killed process has left there")
  func lockedReplacement() throws {
    let path = try folder.write("old", to: "a")
    _ = try folder.write("half of something", to: ".a.optimizing")
    let file = try ReplacementFile(lockedFor: path)
    #expect(try names() == [".a.optimizing", "a"])
    let other = try Posix.open(folder.path(".a.optimizing"))
    defer { Posix.close(other) }
    #expect(try !Posix.lock(other, wait: .zero))
    try file.write(Array("new".utf8))
    try file.putInPlace(permissions: 0o640)
    #expect(try text("a") == "new" && names() == ["a"])
    #expect(file.isInPlace && Posix.status(at: path).map { $0.permissions } == 0o640)
  }
}
