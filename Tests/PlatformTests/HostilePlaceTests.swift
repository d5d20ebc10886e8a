import Foundation
import TestSupport
import Testing

@testable import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("What others have put in a place that is written to")
struct HostilePlaceTests {
  let folder: TemporaryFolder
  let victim: String

  init() throws {
    folder = try TemporaryFolder()
    victim = try folder.write("keys", to: "authorized_keys")
  }

  private func expectUntouched() throws {
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keys")
    #expect(!Posix.isTaken(victim + "-new"))
  }

  @Test("A temporary file of a fixed name is never somebody else's", arguments: Planted.allCases)
  func compaction(_ planted: Planted) throws {
    let path = try folder.write("old", to: "metrics.jsonl")
    try planted.put(at: ReplacementFile.lockedName(for: path), victim: victim)
    do throws(FileFailure) {
      let file = try ReplacementFile(lockedFor: path)
      try file.write(Array("new".utf8))
      try file.putInPlace()
      #expect(planted != .folder)
    } catch {
      #expect(planted == .folder)
    }
    try expectUntouched()
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == (planted == .folder ? "old" : "new"))
  }

  @Test(
    "A file that is replaced takes the name itself, wherever a link of that name leads",
    arguments: Planted.allCases)
  func replacement(_ planted: Planted) throws {
    let path = folder.path("index")
    try planted.put(at: path, victim: victim)
    let file = try ReplacementFile(for: path)
    try file.write(Array("new".utf8))
    do throws(FileFailure) { try file.putInPlace() } catch { #expect(planted == .folder) }
    try expectUntouched()
    if planted != .folder { #expect(try String(contentsOfFile: path, encoding: .utf8) == "new") }
  }

  @Test(
    "A link that another account has made is not followed, wherever it leads",
    .enabled(if: geteuid() == 0))
  func foreignLink() throws {
    let link = folder.path("link")
    try #require(symlink(victim, link) == 0 && lchown(link, 65534, 65534) == 0)
    #expect(throws: FileFailure.self) { try Posix.trustedPlace(of: link) }
    #expect(throws: FileFailure.self) { try ReplacementFile(for: link, links: .followed) }
    // He could lead it elsewhere as soon as it was looked at.
    try #require(chown(victim, 65534, 65534) == 0)
    #expect(throws: FileFailure.self) { try Posix.trustedPlace(of: link) }
    try #require(lchown(link, 0, 0) == 0)
    #expect(try Posix.trustedPlace(of: link) == victim)
  }

  @Test(
    "A new file in the place of another keeps owner, permissions and attributes, or is not put there",
    .enabled(if: geteuid() == 0))
  func attributes() throws {
    let (old, new) = (folder.path("old"), folder.path("new"))
    try Data().write(to: URL(fileURLWithPath: old))
    try Data().write(to: URL(fileURLWithPath: new))
    try #require(chown(old, 65534, 65533) == 0 && chmod(old, 0o640) == 0)
    let (source, target) = (try Posix.open(old), try Posix.openRegular(new, .appending))
    defer { [source, target].forEach(Posix.close) }
    try Posix.copyAttributes(from: source, to: target, of: old)
    let status = try Posix.status(of: target)
    #expect(status.owner == 65534 && status.permissions == 0o640)
  }

  @Test("The folder of a session is new, and what is removed with it never lies outside")
  func folders() throws {
    let parent = try OpenFolder(folder.url.path)
    let name = try parent.makeFolder("session-")
    let made = folder.path(name)
    #expect(Posix.status(at: made)?.permissions == 0o700)
    try #require(symlink(folder.url.path, made + "/link") == 0)
    try #require(mkdir(made + "/deep", 0o700) == 0)
    _ = try folder.write("x", to: name + "/deep/file")
    let identity = try #require(Posix.status(ofName: made)).identity
    let other = try parent.makeFolder("other-")
    parent.removeFolder(name, if: identity)
    #expect(!Posix.isTaken(made))
    try expectUntouched()

    // Somebody has put a link in its place, or another folder.
    try #require(symlink(folder.url.path, made) == 0)
    parent.removeFolder(name, if: identity)
    try expectUntouched()
    parent.removeFolder(other, if: identity)
    #expect(Posix.isTaken(folder.path(other)))
  }

  @Test(
    "Nobody is waited for who holds a lock in the place of a temporary file of a fixed name",
    .timeLimit(.minutes(1)))
  func compactionLocked() throws {
    let path = try folder.write("old", to: "metrics.jsonl")
    let place = ReplacementFile.lockedName(for: path)
    try Data().write(to: URL(fileURLWithPath: place))
    // A leftover of a killed compaction that had taken the file's permissions; and somebody else's file.
    for owner in geteuid() == 0 ? [geteuid(), 65534] : [geteuid()] {
      try Data("left".utf8).write(to: URL(fileURLWithPath: place))
      try #require(chmod(place, 0o644) == 0 && chown(place, owner, gid_t.max) == 0)
      let reader = try Posix.open(place)
      defer { Posix.close(reader) }
      #expect(flock(reader, LOCK_SH) == 0)
      let file = try ReplacementFile(lockedFor: path)
      #expect(Posix.status(at: place)?.permissions == 0o600 && Posix.status(at: place)?.size == 0)
      withExtendedLifetime(file) {}
    }
  }

  @Test("What another process has put under the temporary name is not put in place")
  func temporaryReplaced() throws {
    let path = try folder.write("old", to: "metrics.jsonl")
    let file = try ReplacementFile(lockedFor: path)
    try file.write(Array("new".utf8))
    Posix.unlink(ReplacementFile.lockedName(for: path))
    _ = try folder.write("half", to: ".metrics.jsonl.optimizing")
    #expect(throws: FileFailure.self) { try file.putInPlace() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test("What a killed export has left goes with the next one, and nobody reads what is to be private")
  func leftovers() throws {
    let path = try folder.write("old", to: "out.csv")
    try #require(chmod(path, 0o600) == 0)
    let old = folder.path(".out.csv.mistertop-abcdef")
    try Data().write(to: URL(fileURLWithPath: old))
    let living = try ReplacementFile(for: path, links: .followed)
    let names = try Posix.names(in: folder.url.path).filter { $0.hasPrefix(".out") && !old.hasSuffix($0) }
    let name = try #require(names.first)
    #expect(Posix.isTaken(old) && Posix.status(at: folder.path(name))?.permissions == 0o600)
    for left in [old, folder.path(name)] {
      try FileManager.default.setAttributes([.modificationDate: Date() - 120], ofItemAtPath: left)
    }
    let next = try ReplacementFile(for: path, readers: .usual, links: .followed)
    #expect(!Posix.isTaken(old) && Posix.isTaken(folder.path(name)))
    #expect(try Posix.names(in: folder.url.path).filter { $0.hasPrefix(".out") }.count == 2)
    withExtendedLifetime((living, next)) {}
  }

  @Test("A folder of one's own is made for its owner, and no other account's is used")
  func ownFolder() throws {
    let path = folder.path("data/queue")
    #expect(try OpenFolder.own(path).made.count == 2)
    for made in [path, folder.path("data")] { #expect(Posix.status(at: made)?.permissions == 0o700) }
    guard geteuid() == 0 else { return }
    try #require(chown(path, 65534, 65534) == 0 && chmod(path, 0o777) == 0)
    #expect(throws: FileFailure.self) { try OpenFolder.own(path) }
    let link = folder.path("link")
    try #require(symlink(folder.path("data"), link) == 0)
    #expect(try OpenFolder.own(link).folder.path == Posix.place(of: folder.path("data")))
    try #require(lchown(link, 65534, 65534) == 0)
    #expect(throws: FileFailure.self) { try OpenFolder.own(link) }
    #expect(Posix.status(at: path)?.permissions == 0o777)
  }

  @Test("What is for its owner alone becomes so, and no other account's file is taken for it")
  func alone() throws {
    let path = try folder.write("", to: "log")
    try #require(chmod(path, 0o644) == 0)
    let file = try #require(try Posix.openAlone(path, permissions: 0o600, with: .system))
    #expect(Posix.status(at: path)?.permissions == 0o600)
    Posix.close(file)
    guard geteuid() == 0 else { return }
    try #require(chown(path, 65534, 65534) == 0 && chmod(path, 0o666) == 0)
    // True if it is locked does not matter.
    let other = try Posix.open(path)
    defer { Posix.close(other) }
    #expect(try Posix.lock(other))
    #expect(throws: FileFailure.denied) { try Posix.openAlone(path, permissions: 0o600, with: .system) }
    #expect(Posix.status(at: path)?.permissions == 0o666)
  }

  @Test("A slash is a slash, whatever mark is on it")
  func marks() {
    let parts = PathParts("/tmp/\u{301}name")
    #expect(parts.directory.utf8.elementsEqual("/tmp".utf8))
    #expect(parts.name.utf8.elementsEqual("\u{301}name".utf8))
    #expect(
      ReplacementFile.lockedName(for: "/tmp/\u{301}n").utf8.elementsEqual("/tmp/.\u{301}n.optimizing".utf8))
    #expect(PathParts.isAbsolute("/\u{301}"))
  }

  @Test("A lock that another process has is waited for as long as is said, and then told of")
  func lockLimit() throws {
    let path = try folder.write("", to: "locked")
    let (one, two) = (try Posix.open(path), try Posix.open(path))
    defer { [one, two].forEach(Posix.close) }
    #expect(try Posix.lock(one))
    let failure = #expect(throws: FileFailure.self) { try Posix.lock(two, wait: .milliseconds(20)) }
    #expect(failure?.isLockHeld == true)
    Posix.unlock(one)
    #expect(try Posix.lock(two, wait: .milliseconds(20)))
  }
}
