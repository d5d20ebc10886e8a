import Foundation
import Platform
import TestSupport
import Testing

@testable import MisterMetricsCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("A full file that makes room")
struct FullFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with small files that tells how the file looks whenever it is looked at behind a lock.
  private func store(_ seen: Locked<[FileStatus?]>, keep: Int = 9) throws -> MetricFileStore {
    var options = MetricFileOptions()
    options.rotation = MetricFileRotation(maxBytes: 300, keep: keep)
    var operations = FileOperations.system
    let hasName = operations.hasName
    operations.hasName = { identity, path in
      // Its lock is looked at too.
      if path.hasSuffix("/metrics.jsonl") { seen.withLock { $0.append(Posix.status(at: path)) } }
      return hasName(identity, path)
    }
    return try MetricFileStore(file: folder.file(), options: options, operations: operations)
  }

  @Test("leaves its owner, group, readers and attributes to the next one before that has the name")
  func attributes() async throws {
    try Data().write(to: folder.file())
    let path = folder.file().path
    #expect(chmod(path, 0o640) == 0)
    if geteuid() == 0 { #expect(chown(path, 65534, 65534) == 0) }
    let seen = Locked<[FileStatus?]>([])
    let store = try store(seen)
    for number in 0..<10 { try await store.record(Samples.count, value: number) }
    #expect(Posix.isTaken(folder.file("metrics.jsonl.2").path))
    let owner: UInt32 = geteuid() == 0 ? 65534 : geteuid()
    #expect(seen.withLock { $0.allSatisfy { $0?.permissions == 0o640 && $0?.owner == owner } })
    #expect(Set(seen.withLock { $0.map { $0?.identity } }).count > 2)
    #expect(Posix.group(at: path) == (geteuid() == 0 ? 65534 : getegid()))
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<10))
  }

  @Test(
    "lets nobody read the next one who could not read it, where its group cannot be kept",
    arguments: [(0o640, 0o600), (0o644, 0o644), (0o664, 0o644), (0o606, 0o606), (0o660, 0o600)])
  func otherGroup(permissions: UInt32, next: UInt32) {
    #expect(AppendFile.forFewer(permissions) == next)
  }

  @Test("goes on growing where something that cannot go has a name, and nothing that is kept goes")
  func obstacle() async throws {
    try FileManager.default.createDirectory(
      at: folder.file("metrics.jsonl.2/inside"), withIntermediateDirectories: true)
    let store = try store(Locked([]), keep: 1)
    for number in 0..<10 { try await store.record(Samples.count, value: number) }
    #expect(store.lastError?.code == .rotationFailed)
    let kept = lines(of: folder.file("metrics.jsonl.1")).count
    #expect(kept > 0 && lines(of: folder.file()).count == 10 - kept)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["metrics.jsonl", ".metrics.jsonl.lock", "metrics.jsonl.1", "metrics.jsonl.2"])
  }

  @Test("takes the name that a killed process has left an empty file at, and moves no other file for it")
  func killed() async throws {
    let store = try store(Locked([]), keep: 3)
    try await store.record(Samples.count, value: 0)
    try Data().write(to: folder.file("metrics.jsonl.1"))
    for number in 2...3 { try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.\(number)")) }
    let old = try Posix.status(ofPath: folder.file("metrics.jsonl.2").path).identity
    while try Posix.status(ofPath: folder.file("metrics.jsonl.1").path).size == 0 {
      try await store.record(Samples.count, value: 1)
    }
    #expect(try Posix.status(ofPath: folder.file("metrics.jsonl.2").path).identity == old)
    #expect(Posix.isTaken(folder.file("metrics.jsonl.3").path))
    #expect(!Posix.isTaken(folder.file("metrics.jsonl.4").path))
  }
}
