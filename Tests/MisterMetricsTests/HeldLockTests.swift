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

@Suite("A lock that somebody does not give back")
struct HeldLockTests {
  let folder: TemporaryFolder
  let store: MetricFileStore

  init() throws {
    folder = try TemporaryFolder()
    var options = MetricFileOptions()
    options.lockTimeout = .milliseconds(30)
    options.gathering = .milliseconds(5)
    store = try MetricFileStore(file: folder.file(), options: options)
  }

  private var place: String { WriterLock.place(for: Posix.place(of: folder.file().path)) }

  /// Takes the lock as another writer has it.
  private func lockAsWriter() throws -> Int32 {
    let writer = try Posix.open(place, flags: O_WRONLY)
    #expect(flock(writer, LOCK_EX) == 0)
    return writer
  }

  @Test("Who waits is told, records of the others stay in memory, and all is written when the lock is free")
  func held() async throws {
    try await store.record(Samples.count, value: 0)
    let writer = try lockAsWriter()
    for number in 1...50 { Samples.count.record(number, in: store.erased) }
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 99) }
    #expect(error?.code == .fileLocked)
    #expect(await eventually { store.lastError?.code == .fileLocked && store.waitingLines == 50 })
    #expect(store.counts.refused == 1)
    Posix.close(writer)
    #expect(await eventually { lines(of: folder.file()).count == 51 })
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0...50))
    #expect(store.counts.written == 51)
  }

  @Test("Compaction does not wait for ever either")
  func compaction() async throws {
    try await store.record(Samples.count, value: 0)
    let writer = try lockAsWriter()
    defer { Posix.close(writer) }
    let error = await #expect(throws: MetricError.self) {
      try await store.optimize(removingBefore: .distantFuture)
    }
    #expect(error?.code == .fileLocked)
    #expect(lines(of: folder.file()).count == 1)
  }

  @Test("Clearing that may not wait for it says so", arguments: [Duration.zero, .milliseconds(30)])
  func clearing(timeout: Duration) async throws {
    var options = MetricFileOptions()
    options.lockTimeout = timeout
    let store = try MetricFileStore(file: folder.file(), options: options)
    try await store.record(Samples.count, value: 0)
    let writer = try lockAsWriter()
    defer { Posix.close(writer) }
    let error = await #expect(throws: MetricError.self) { try await store.clear() }
    #expect(error?.code == .fileLocked && lines(of: folder.file()).count == 1)
  }

  @Test("Whoever can only read the file holds nobody up")
  func heldByReader() async throws {
    try await store.record(Samples.count, value: 0)
    let reader = try Posix.open(folder.file().path)
    defer { Posix.close(reader) }
    #expect(flock(reader, LOCK_EX) == 0)
    for number in 1...50 { try await store.record(Samples.count, value: number) }
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0...50))
    #expect(store.counts.written == 51 && store.counts.refused == 0)
    // A lock that may be another writer's is no reason to replace the file under it.
    let error = await #expect(throws: MetricError.self) {
      try await store.optimize(removingBefore: .distantFuture)
    }
    #expect(error?.code == .fileLocked && lines(of: folder.file()).count == 51)
  }

  @Test("Compaction waits for a slow writer that has only the file's own lock")
  func slowWriter() async throws {
    try Data(Samples.line(0, at: -5).utf8).write(to: folder.file())
    let slow = try Posix.openRegular(Posix.place(of: folder.file().path), .appending)
    #expect(flock(slow, LOCK_EX) == 0)
    let compaction = Task {
      try await store.optimize(removingBefore: Date(timeIntervalSinceReferenceDate: 0))
    }
    // Longer than a reader is waited for.
    try await Task.sleep(for: LockLimit.ofReaders * 2)
    let line = try Samples.line(7, at: 5)
    let isThere = Posix.status(at: folder.file().path)?.identity == (try Posix.status(of: slow)).identity
    #expect(isThere && line.withCString { write(slow, $0, strlen($0)) } == line.utf8.count)
    Posix.close(slow)
    _ = try await compaction.value
    #expect(try await store.retrieveAll(for: Samples.startup).map(\.value) == [7])
  }

  @Test("While somebody else has the file's own lock it is not rotated either")
  func rotation() async throws {
    var options = MetricFileOptions()
    options.rotation = MetricFileRotation(maxBytes: 500, keep: 2)
    let store = try MetricFileStore(file: folder.file("r.jsonl"), options: options)
    try await store.record(Samples.count, value: 0)
    let slow = try Posix.open(folder.file("r.jsonl").path)
    #expect(flock(slow, LOCK_EX) == 0)
    for number in 1...20 { try await store.record(Samples.count, value: number) }
    #expect(
      lines(of: folder.file("r.jsonl")).count == 21 && Posix.status(at: folder.file("r.jsonl.1").path) == nil)
    Posix.close(slow)
    try await store.record(Samples.count, value: 21)
    #expect(lines(of: folder.file("r.jsonl")).count == 1)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0...21))
  }

  @Test(
    "Its own file is its owner's alone, whoever may write to the metrics file",
    arguments: [0o600, 0o644, 0o666])
  func permissions(of file: Int) async throws {
    try Data().write(to: folder.file())
    try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: folder.file().path)
    try await store.record(Samples.count, value: 0)
    #expect(Posix.status(at: place)?.permissions == 0o600 && Posix.status(at: place)?.size == 0)
    // It was opened to more since.
    #expect(chmod(place, 0o666) == 0)
    let other = try MetricFileStore(file: folder.file())
    try await other.record(Samples.count, value: 1)
    #expect(Posix.status(at: place)?.permissions == 0o600)
  }

  @Test("Where something else has its name the file's own lock counts")
  func taken() async throws {
    try Data().write(to: folder.file())
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try await store.record(Samples.count, value: 0)
    let reader = try Posix.open(folder.file().path)
    #expect(flock(reader, LOCK_EX) == 0)
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .fileLocked)
    Posix.close(reader)
    try await store.record(Samples.count, value: 2)
  }

  @Test(
    "Where others may write to the file too, its own lock is waited for", arguments: [0o644, 0o664, 0o646])
  func otherWriters(permissions: Int) async throws {
    try Data().write(to: folder.file())
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.file().path)
    let other = try Posix.open(folder.file().path)
    defer { Posix.close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let isRefused = (try? await store.record(Samples.count, value: 1)) == nil
    #expect(isRefused == (permissions != 0o644))
  }

  @Test("With a new lock beside lines a writer waits once as those do who know only the file's own")
  func newBesideLines() async throws {
    try Data(Samples.line(0, at: 5).utf8).write(to: folder.file())
    let other = try Posix.open(folder.file().path)
    defer { Posix.close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    await #expect(throws: MetricError.self) { try await store.record(Samples.startup, value: 1) }
    #expect(Posix.isTaken(place) && lines(of: folder.file()).count == 1)
    #expect(await eventually { (try? await store.record(Samples.startup, value: 1)) != nil })
  }

  @Test(
    "A lock that loses its name again and again is waited for no longer than another", .timeLimit(.minutes(1))
  )
  func neverNamed() async throws {
    var operations = FileOperations.system
    let place = place
    operations.hasName = { $1 == place ? false : FileOperations.system.hasName($0, $1) }
    var options = MetricFileOptions()
    options.lockTimeout = .milliseconds(30)
    let store = try MetricFileStore(file: folder.file(), options: options, operations: operations)
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .fileLocked)
  }

  @Test("A second name of the lock, such as a backup's, keeps nobody from it")
  func secondName() async throws {
    try await store.record(Samples.count, value: 0)
    // In a folder where anybody may give names.
    #expect(chmod(folder.url.path, 0o777) == 0 && link(place, folder.file("backup").path) == 0)
    let writer = try lockAsWriter()
    defer { Posix.close(writer) }
    let other = try MetricFileStore(file: folder.file())
    let error = await #expect(throws: MetricError.self) { try await other.record(Samples.count, value: 1) }
    #expect(error?.code == .fileLocked)
  }

  @Test(
    "While a reader keeps a compaction waiting, records are written",
    arguments: ["metrics.jsonl", "metrics.jsonl.1"])
  func compactionBesideReader(name: String) async throws {
    try Data(try Samples.line(1, at: 5).utf8).write(to: folder.file("metrics.jsonl.1"))
    var options = MetricFileOptions()
    options.lockTimeout = .seconds(1)
    let writer = try MetricFileStore(file: folder.file(), options: options)
    try await writer.record(Samples.count, value: 0)
    let reader = try Posix.open(folder.file(name).path)
    defer { Posix.close(reader) }
    #expect(flock(reader, LOCK_EX) == 0)
    let file = folder.file()
    let compaction = Task { try await MetricFileStore(file: file).optimize(removingBefore: .distantFuture) }
    // As long as it waits, which is two seconds.
    for value in 1...5 { try await writer.record(Samples.count, value: value) }
    let error = await #expect(throws: MetricError.self) { try await compaction.value }
    #expect(error?.code == .fileLocked)
    // Tasks that no one keeps are done.
    guard name != folder.file().lastPathComponent else { return }
    #expect(lines(of: folder.file()).isEmpty && lines(of: folder.file(name)).count == 1)
    #expect(error?.message.contains(name) == true)
  }

  @Test("Nothing is written into a file that somebody has linked to the lock's name")
  func linked() async throws {
    let other = folder.file("other").path
    Posix.close(try Posix.open(other, flags: O_WRONLY | O_CREAT, permissions: 0o600))
    let before = try #require(Posix.status(at: other)).modified
    #expect(link(other, place) == 0)
    try await store.record(Samples.count, value: 0)
    try await store.record(Samples.count, value: 1)
    #expect(try #require(Posix.status(at: other)).modified == before)
  }

  @Test("A file that changes its owner changes its lock", .enabled(if: geteuid() == 0))
  func owner() async throws {
    try await store.record(Samples.count, value: 0)
    #expect(chown(folder.file().path, 65534, 65534) == 0)
    // The rest of root's lock is no lock of this file; with a new one all wait as for other writers at first.
    let reader = try Posix.open(folder.file().path)
    #expect(flock(reader, LOCK_EX) == 0)
    await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(await eventually { (try? await store.record(Samples.count, value: 1)) != nil })
    #expect(Posix.status(at: place)?.owner == 65534 && Posix.status(at: place)?.permissions == 0o600)
    Posix.close(reader)
    let writer = try lockAsWriter()
    defer { Posix.close(writer) }
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 2) }
    #expect(error?.code == .fileLocked)
  }

  @Test("One that was removed or replaced keeps writers apart again")
  func removed() async throws {
    try await store.record(Samples.count, value: 0)
    let old = try lockAsWriter()
    defer { Posix.close(old) }
    Posix.unlink(place)
    try await store.record(Samples.count, value: 1)
    let new = try lockAsWriter()
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 2) }
    #expect(error?.code == .fileLocked)
    Posix.close(new)
  }

  @Test("A record that no reader would take is refused")
  func tooLong() async throws {
    let text = Metric<String>(name: "text", in: Bucket("b"))
    let error = await #expect(throws: MetricError.self) {
      try await store.record(text, value: String(repeating: "x", count: 20 << 20))
    }
    #expect(error?.code == .recordTooLong)
    #expect(lines(of: folder.file()).isEmpty)
  }

  @Test("What is no file is not recorded into", arguments: ["/dev/null", "fifo"])
  func noFile(_ name: String) async throws {
    let path = name == "fifo" ? folder.file("fifo").path : name
    if name == "fifo" { try #require(mkfifo(path, 0o600) == 0) }
    let store = try MetricFileStore(file: URL(fileURLWithPath: path))
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .fileUnavailable)
  }

  @Test("Lines of a short write that cannot be cut off again count as written, and only those")
  func cutShort() async throws {
    let isFull = Locked(false)
    var operations = FileOperations(
      write: { descriptor, bytes in
        // Two lines and a half go in, then the disk is full.
        let isFirst = isFull.withLock { isFull in
          defer { isFull = true }
          return !isFull
        }
        guard isFirst else {
          errno = ENOSPC
          return -1
        }
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 4)])
        return FileOperations.system.write(descriptor, part)
      }, sync: { _ in 0 })
    operations.truncate = { _, _ in
      errno = EIO
      return -1
    }
    let store = try MetricFileStore(file: folder.file(), options: MetricFileOptions(), operations: operations)
    let error = await #expect(throws: MetricError.self) {
      try await store.append((0..<10).map { try MetricEntry(metric: Samples.count, encoding: $0) })
    }
    #expect(error?.code == .writeFailed)
    #expect(store.counts.written == 2 && store.counts.refused == 8)
    isFull.withLock { $0 = false }
    let text = try String(contentsOf: folder.file(), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 3 && !text.hasSuffix("\n"))
  }
}
