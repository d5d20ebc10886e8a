import Foundation
import MisterMetricsCore
import Platform
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Failing disks")
struct FailureTests {
  /// The results of the next calls, in order; afterwards everything works.
  enum Step {
    case error(Int32)
    case short(Int)
  }

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(
    durability: MetricDurability = .process, writes: [Step] = [], syncs: [Int32] = [],
    syncInterval: Duration = .milliseconds(500)
  ) throws -> MetricFileStore {
    let writes = Locked(writes)
    let syncs = Locked(syncs)
    let operations = FileOperations(
      write: { descriptor, bytes in
        switch writes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case nil: return FileOperations.system.write(descriptor, bytes)
        case .short(let count):
          return FileOperations.system.write(
            descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        case .error(let number):
          errno = number
          return -1
        }
      },
      sync: { descriptor in
        guard let number = syncs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }), number != 0 else {
          return FileOperations.system.sync(descriptor)
        }
        errno = number
        return -1
      })
    var options = MetricFileOptions()
    options.durability = durability
    options.syncInterval = syncInterval
    return try MetricFileStore(file: folder.file(), options: options, operations: operations)
  }

  @Test("a full disk refuses the record, leaves nothing of it, and doubles nothing afterwards")
  func fullDisk() async throws {
    let store = try store(writes: [.short(10), .error(ENOSPC)])
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .writeFailed)
    #expect(error?.systemErrorNumber == ENOSPC)
    #expect(try Data(contentsOf: folder.file()).isEmpty)
    try await store.record(Samples.count, value: 2)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [2])
    #expect(lines(of: folder.file()).count == 1)
    #expect(store.counts.refused == 1)
    #expect(store.counts.failures == 1)
  }

  @Test("a full disk is reported for fire-and-forget records by count, last error and close")
  func fullDiskUnattended() async throws {
    let store = try store(writes: [.error(ENOSPC)])
    for number in 0..<10 { Samples.count.record(number, in: store.erased) }
    #expect(await eventually { store.counts.refused == 10 })
    #expect(store.lastError?.systemErrorNumber == ENOSPC)
    await #expect(throws: MetricError.self) { try await store.close() }
  }

  @Test("short and interrupted writes leave the file as if nothing had happened")
  func shortWrites() async throws {
    let store = try store(writes: [.short(1), .error(EINTR), .short(3), .error(EINTR), .short(20)])
    try await store.record(Samples.count, value: 1)
    try await store.record(Samples.count, value: 2)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [1, 2])
    #expect(lines(of: folder.file()).count == 2)
  }

  @Test("a failed sync is never simply tried again: unsynced records go to a new file", arguments: [0, 1, 2])
  func failedSync(at index: Int) async throws {
    let store = try store(durability: .commit, syncs: [Int32](repeating: 0, count: index) + [EIO])
    for number in 0..<5 { try await store.record(Samples.count, value: number) }
    let old = try await MetricFileStore(file: folder.file("metrics.jsonl.1")).retrieveAll(for: Samples.count)
      .map(\.value)
    let new = lines(of: folder.file()).count
    #expect(old == Array(0...index))
    #expect(new == 5 - index)
    #expect(store.counts.failures == 1)
    let error = await #expect(throws: MetricError.self) { try await store.close() }
    #expect(error?.code == .syncFailed)
  }

  @Test("a record whose sync fails in the new file, too, is not acknowledged")
  func failedRescue() async throws {
    let store = try store(durability: .commit, syncs: [EIO, EIO])
    let error = await #expect(throws: MetricError.self) { try await store.record(Samples.count, value: 1) }
    #expect(error?.code == .syncFailed)
    try await store.record(Samples.count, value: 2)
    #expect(lines(of: folder.file()).contains { $0.contains(#""value":"Mg==""#) })
  }

  @Test("lines that cannot be made durable are told of once, and not written again for ever")
  func failedRescueOfInterval() async throws {
    let store = try store(durability: .interval, syncs: [EIO, EIO], syncInterval: .seconds(3600))
    try await store.record(Samples.count, value: 1)
    await #expect(throws: MetricError.self) { try await store.flush() }
    #expect(store.lastError?.code == .syncFailed)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count
    for number in 2..<5 { try await store.record(Samples.count, value: number) }
    try await store.flush()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == files)
  }

  @Test("a file is synced before a rotation leaves it; when that fails, its lines go to a new file")
  func syncBeforeRotation() async throws {
    let syncs = Locked(0)
    let fails = Locked(false)
    let operations = FileOperations(
      write: FileOperations.system.write,
      sync: { descriptor in
        syncs.withLock { $0 += 1 }
        guard fails.withLock({ $0 }) else { return FileOperations.system.sync(descriptor) }
        fails.withLock { $0 = false }
        errno = EIO
        return -1
      })
    var options = MetricFileOptions()
    options.durability = .interval
    options.syncInterval = .seconds(3_600)
    options.rotation = MetricFileRotation(maxBytes: 300, keep: 9)
    let store = try MetricFileStore(file: folder.file(), options: options, operations: operations)
    for number in 0..<5 { try await store.record(Samples.count, value: number) }
    #expect(syncs.withLock { $0 } == 2)
    fails.withLock { $0 = true }
    for number in 5..<7 { try await store.record(Samples.count, value: number) }
    #expect(syncs.withLock { $0 } == 3)
    try await store.flush()
    let current = try await MetricFileStore(file: folder.file()).retrieveAll(for: Samples.count).map(\.value)
    #expect(Set(current) == Set(0..<7))
    #expect(lines(of: folder.file()).count == 7)
  }

  @Test("commit syncs before it returns, interval does so later, process not at all")
  func levels() async throws {
    for (durability, expected) in [(MetricDurability.commit, 3), (.interval, 0), (.process, 0)] {
      let syncs = Locked(0)
      let operations = FileOperations(
        write: FileOperations.system.write,
        sync: { descriptor in
          syncs.withLock { $0 += 1 }
          return FileOperations.system.sync(descriptor)
        })
      var options = MetricFileOptions()
      options.durability = durability
      options.syncInterval = .seconds(3_600)
      let store = try MetricFileStore(
        file: folder.file("\(durability)"), options: options, operations: operations)
      for number in 0..<3 { try await store.record(Samples.count, value: number) }
      #expect(syncs.withLock { $0 } == expected)
      try await store.flush()
      #expect(syncs.withLock { $0 } == expected + (durability == .process ? 0 : 1))
      try await store.sync()
      #expect(syncs.withLock { $0 } == expected + (durability == .process ? 1 : 2))
    }
  }

  @Test("interval syncs by itself after its interval, once for many records")
  func interval() async throws {
    let syncs = Locked(0)
    let operations = FileOperations(
      write: FileOperations.system.write,
      sync: { descriptor in
        syncs.withLock { $0 += 1 }
        return FileOperations.system.sync(descriptor)
      })
    var options = MetricFileOptions()
    options.durability = .interval
    options.syncInterval = .milliseconds(100)
    let store = try MetricFileStore(file: folder.file(), options: options, operations: operations)
    try await store.append((0..<100).map { try MetricEntry(metric: Samples.count, encoding: $0) })
    #expect(await eventually { syncs.withLock { $0 } == 1 })
    #expect(lines(of: folder.file()).count == 100)
  }
}
