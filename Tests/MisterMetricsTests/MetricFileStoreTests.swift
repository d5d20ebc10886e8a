import Foundation
import MisterMetricsCore
import Platform
import Testing

@Suite("The file store")
struct MetricFileStoreTests {
  let folder: TemporaryFolder
  let store: MetricFileStore

  init() throws {
    folder = try TemporaryFolder()
    store = try MetricFileStore(file: folder.file())
  }

  @Test("has the line in the file when record returns")
  func promise() async throws {
    for number in 1...20 {
      try await store.record(Samples.count, value: number)
      #expect(lines(of: folder.file()).count == number)
    }
    #expect(store.counts.written == 20)
  }

  @Test("writes lines that plain Foundation reads, with the time of the call")
  func plainFoundation() async throws {
    let before = Date()
    try await store.record(Samples.startup, value: 428.5)
    try await store.record(Samples.note, value: "a/b\n\u{1}é🚀")
    try await store.record(Metric<Double?>(name: "maybe"), value: nil)
    let after = Date()
    let entries = try lines(of: folder.file()).map {
      try JSONDecoder().decode(MetricEntry.self, from: Data($0.utf8))
    }
    #expect(entries.map(\.value) == [Data("428.5".utf8), Data(#""a\/b\n\u0001é🚀""#.utf8), Data("null".utf8)])
    #expect(entries.map(\.metric.valueTypeString) == ["Double", "String", "Optional<Double>"])
    #expect(entries.allSatisfy { before <= $0.timestamp && $0.timestamp <= after })
  }

  @Test("creates the file and its folders with the first record, not before")
  func creation() async throws {
    let file = folder.url.appendingPathComponent("a/b/metrics.jsonl")
    let store = try MetricFileStore(file: file)
    try await store.sync()
    try await store.flush()
    #expect(try await store.retrieveAll(for: Samples.startup).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await store.record(Samples.startup, value: 1)
    #expect(lines(of: file).count == 1)
  }

  @Test("keeps what is in the file, also for many first writers at once", arguments: 0..<25)
  func creationRace(round: Int) async throws {
    let file = folder.file("race\(round).jsonl")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask { try await MetricFileStore(file: file).record(Samples.count, value: number) }
      }
      try await group.waitForAll()
    }
    #expect(
      Set(try await MetricFileStore(file: file).retrieveAll(for: Samples.count).map(\.value)) == [0, 1, 2, 3])
  }

  @Test("loses nothing with four busy writers of their own")
  func busyWriters() async throws {
    let file = folder.file()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let store = try MetricFileStore(file: file)
          for number in 0..<600 { try await store.record(Samples.count, value: writer * 1_000 + number) }
        }
      }
      try await group.waitForAll()
    }
    let values = try await store.retrieveAll(for: Samples.count).map(\.value)
    for writer in 0..<4 {
      #expect(values.filter { $0 / 1_000 == writer } == (0..<600).map { writer * 1_000 + $0 })
    }
    #expect(lines(of: file).count == 2_400)
  }

  @Test("shares one write between callers that wait at the same time")
  func sharedWrites() async throws {
    let writes = Locked(0)
    let gate = DispatchSemaphore(value: 0)
    let operations = FileOperations(
      write: { descriptor, bytes in
        let isFirst = writes.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { gate.wait() }
        return FileOperations.system.write(descriptor, bytes)
      }, sync: FileOperations.system.sync)
    var options = MetricFileOptions()
    options.durability = .commit
    let store = try MetricFileStore(file: folder.file(), options: options, operations: operations)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await store.record(Samples.count, value: 0) }
      // The first write holds one caller, the others all wait before it may go on.
      #expect(await eventually { writes.withLock { $0 } == 1 })
      for number in 1..<50 { group.addTask { try? await store.record(Samples.count, value: number) } }
      #expect(await eventually { store.waitingCallers == 49 })
      gate.signal()
    }
    #expect(writes.withLock { $0 } == 2)
    #expect(lines(of: folder.file()).count == 50)
  }

  @Test("does not glue a record to another writer's torn line")
  func tornLine() async throws {
    let torn = #"{"metric":{"name":"half"#
    try Data((try Samples.line(1, at: 1) + torn).utf8).write(to: folder.file())
    try await store.record(Samples.startup, value: 2)
    try await store.record(Samples.startup, value: 3)
    let found = lines(of: folder.file())
    #expect(found.count == 4)
    #expect(found[1] == torn)
    #expect(try await store.retrieveAll(for: Samples.startup).map(\.value) == [1, 2, 3])
    #expect(store.counts.undecodable == 1)
  }

  @Test("goes on in the new file after another process replaced, removed or rotated the old one")
  func replacedFile() async throws {
    let file = folder.file()
    try await store.record(Samples.count, value: 1)
    try FileManager.default.moveItem(at: file, to: folder.file("moved"))
    try await store.record(Samples.count, value: 2)
    try FileManager.default.removeItem(at: file)
    try await store.record(Samples.count, value: 3)
    try Data().write(to: folder.file("other"))
    #expect(rename(folder.file("other").path, file.path) == 0)
    try await store.record(Samples.count, value: 4)
    #expect(
      try await MetricFileStore(file: folder.file("moved")).retrieveAll(for: Samples.count).map(\.value) == [
        1
      ])
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [4])
  }

  @Test("holds up no other task while another process has the lock", .timeLimit(.minutes(1)))
  func lockedFile() async throws {
    var options = MetricFileOptions()
    // However long a busy machine needs for what follows.
    options.lockTimeout = .seconds(3600)
    let store = try MetricFileStore(file: folder.file(), options: options)
    try await store.record(Samples.count, value: -1)
    let descriptor = open(WriterLock.place(for: Posix.place(of: folder.file().path)), O_RDWR)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let records = Task {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100 { group.addTask { try? await store.record(Samples.count, value: number) } }
      }
    }
    // All but the one whose turn it is wait; with a thread each, nothing else would run any more.
    #expect(await eventually { store.waitingCallers == 99 })
    #expect(await Task.detached { 42 }.value == 42)
    #expect(lines(of: folder.file()).count == 1)
    close(descriptor)
    await records.value
    #expect(lines(of: folder.file()).count == 101)
  }

  @Test("writes fire-and-forget records in the order of the calls, also between awaited ones")
  func order() async throws {
    for number in 0..<500 { Samples.count.record(number, in: store.erased) }
    #expect(await eventually { lines(of: folder.file()).count == 500 })
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<500))
  }

  @Test("gathers fire-and-forget records into few writes")
  func gathering() async throws {
    let writes = Locked(0)
    let operations = FileOperations(
      write: { descriptor, bytes in
        writes.withLock { $0 += 1 }
        return FileOperations.system.write(descriptor, bytes)
      }, sync: FileOperations.system.sync)
    var options = MetricFileOptions()
    options.gathering = .seconds(3_600)
    let store = try MetricFileStore(file: folder.file(), options: options, operations: operations)
    for number in 0..<1_000 { Samples.count.record(number, in: store.erased) }
    #expect(await eventually { store.waitingLines == 1_000 })
    #expect(writes.withLock { $0 } == 0)
    try await store.sync()
    #expect(writes.withLock { $0 } == 1)
    #expect(lines(of: folder.file()).count == 1_000)
  }

  @Test("refuses a value without JSON, counts it for fire and forget, and goes on")
  func unencodable() async throws {
    await #expect(throws: MetricError.self) { try await store.record(Samples.startup, value: .nan) }
    await #expect(throws: MetricError.self) {
      try await store.record(Metric<[Double]>(name: "list"), value: [.infinity])
    }
    let before = MetricManager.counts.unencodable
    Samples.startup.record(-.infinity, in: store.erased)
    #expect(await eventually { MetricManager.counts.unencodable > before })
    try await store.record(Samples.startup, value: 1)
    #expect(lines(of: folder.file()).count == 1)
  }

  @Test("takes nothing more once closed, and has written everything before")
  func closing() async throws {
    Samples.count.record(1, in: store.erased)
    #expect(await eventually { store.waitingLines == 1 || store.counts.written == 1 })
    try await store.close()
    #expect(lines(of: folder.file()).count == 1)
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 2) }
    #expect(error?.code == .storeClosed)
    #expect(lines(of: folder.file()).count == 1)
  }

  @Test("is empty after clear, with its rotated files gone, and can be used again")
  func clearing() async throws {
    try await store.record(Samples.count, value: 1)
    try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.1"))
    try await store.clear()
    #expect(try await store.retrieveAll(from: .distantPast, until: .distantFuture).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("metrics.jsonl.1").path))
    try await store.record(Samples.count, value: 2)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [2])
  }

  @Test("clear leaves the file to whom it belongs", arguments: [0o600, 0o640, 0o664])
  func clearedOwner(mode: UInt32) async throws {
    try await store.record(Samples.count, value: 1)
    let path = folder.file().path
    #expect(chmod(path, mode_t(mode)) == 0)
    if geteuid() == 0 { #expect(chown(path, 65534, 65534) == 0) }
    let before = try Posix.status(ofPath: path)
    try await store.clear()
    let after = try Posix.status(ofPath: path)
    #expect(after.size == 0 && after.identity != before.identity)
    #expect(after.permissions == mode && after.owner == before.owner)
    #expect(Posix.group(at: path) == (geteuid() == 0 ? 65534 : getegid()))
    try await store.record(Samples.count, value: 2)
    #expect(lines(of: folder.file()).count == 1)
  }

  @Test("clear removes rotated files though the current one was just moved away")
  func clearedBehindRotation() async throws {
    try await store.record(Samples.count, value: 1)
    #expect(chmod(folder.file().path, 0o600) == 0)
    #expect(rename(folder.file().path, folder.file("metrics.jsonl.1").path) == 0)
    try await store.clear()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
    let status = try Posix.status(ofPath: folder.file().path)
    #expect(status.size == 0 && status.permissions == 0o600)
    try await store.record(Samples.count, value: 2)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [2])
  }

  @Test("clear says what stays, and removes the rest")
  func clearedPartly() async throws {
    var operations = FileOperations.system
    operations.remove = { path in
      guard path.hasSuffix(".2") else { return unlink(path) }
      errno = EPERM
      return -1
    }
    let store = try MetricFileStore(
      file: folder.file(), options: MetricFileOptions(), operations: operations)
    try await store.record(Samples.count, value: 1)
    for number in 1...3 { try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.\(number)")) }
    let error = await #expect(throws: MetricError.self) { try await store.clear() }
    #expect(error?.code == .writeFailed)
    let obstacle = Posix.place(of: folder.file("metrics.jsonl.2").path)
    #expect(error?.message.hasPrefix("cannot remove \(obstacle): ") == true)
    #expect(lines(of: folder.file()).isEmpty)
    #expect([1, 2, 3].filter { Posix.isTaken(folder.file("metrics.jsonl.\($0)").path) } == [2])
  }

  @Test("clear takes no notice of a folder with the name of a rotated file")
  func clearedBesideFolder() async throws {
    try await store.record(Samples.count, value: 1)
    let other = folder.file("metrics.jsonl.1")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.2"))
    try await store.clear()
    #expect(lines(of: folder.file()).isEmpty && !Posix.isTaken(folder.file("metrics.jsonl.2").path))
    #expect(Posix.status(at: other.path)?.kind == .directory)
  }

  @Test("clear says that nothing can be changed in the folder", .enabled(if: geteuid() != 0))
  func clearedInReadOnlyFolder() async throws {
    try await store.record(Samples.count, value: 1)
    try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.1"))
    #expect(chmod(folder.url.path, 0o500) == 0)
    defer { chmod(folder.url.path, 0o700) }
    await #expect(throws: MetricError.self) { try await store.clear() }
    #expect(lines(of: folder.file()).count == 1 && lines(of: folder.file("metrics.jsonl.1")).count == 1)
  }

  @Test("refuses a URL that is no file's")
  func noFile() throws {
    let url = try #require(URL(string: "https://example.com/metrics.jsonl"))
    let error = #expect(throws: MetricError.self) { try MetricFileStore(file: url) }
    #expect(error?.code == .fileUnavailable)
  }

  @Test("says why when the file cannot be written")
  func folderInTheWay() async throws {
    let store = try MetricFileStore(file: folder.url)
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .fileUnavailable)
    #expect(error?.systemErrorNumber == EISDIR)
    #expect(store.counts.refused == 1)
  }

  @Test("holds a record of a megabyte, and one line per record whatever is in it")
  func hugeRecord() async throws {
    let text = String(repeating: "line\n\u{0}", count: 70_000)
    try await store.record(Samples.note, value: text)
    #expect(lines(of: folder.file()).count == 1)
    #expect(try await store.retrieveAll(for: Samples.note).map(\.value) == [text])
  }
}
