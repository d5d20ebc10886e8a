import Foundation
import MisterMetricsCore
import Platform
import Sync
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("The file of a store")
struct StoreFileTests {
  private typealias Samples = QueueSamples

  /// System calls that fail when they are told to.
  private struct Faults {
    /// How many bytes the disk still takes.
    let space = Locked(Int.max)
    /// True if syncing fails.
    let isSyncLost = Locked(false)

    var operations: FileOperations {
      FileOperations(
        write: { descriptor, bytes in
          let room = self.space.withLock { space in
            defer { space -= min(space, bytes.count) }
            return min(space, bytes.count)
          }
          guard room > 0 else {
            errno = ENOSPC
            return -1
          }
          return FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<room]))
        },
        sync: { descriptor in
          guard self.isSyncLost.withLock({ $0 }) else { return FileOperations.system.sync(descriptor) }
          errno = EIO
          return -1
        })
    }
  }

  private func makeFactory(
    in folder: TemporaryFolder, durability: FileSyncStoreFactory.Durability = .process,
    operations: FileOperations = .system
  ) -> FileSyncStoreFactory {
    FileSyncStoreFactory(
      file: folder.url.appendingPathComponent("sync.log"), domain: .sample, durability: durability,
      operations: operations)
  }

  private func identity(_ factory: FileSyncStoreFactory) -> FileIdentity? {
    Posix.status(at: factory.file.path)?.identity
  }

  @Test func `One file has one handle at a time, and only its owner reads it`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    do {
      let store = try factory.makeStore()
      let error = #expect(throws: SyncError.self) { try factory.makeStore() }
      #expect(error?.code == .storeInUse)
      #expect(try store.pendingCount() == 0)
    }
    _ = try factory.makeStore()
    #expect(Posix.status(at: factory.file.path).map { $0.permissions & 0o777 } == 0o600)
  }

  @Test func `On a full disk a save fails, leaves nothing behind, and succeeds once there is room`() throws {
    let folder = try TemporaryFolder()
    let faults = Faults()
    let factory = makeFactory(in: folder, operations: faults.operations)
    let store = try factory.makeStore()
    _ = try store.enqueue(Samples.mutation("1", .create, "event", "1"))
    try store.save()
    let good = try Data(contentsOf: factory.file)
    for room in 0..<40 {
      _ = try store.enqueue(Samples.mutation("2", .create, "event", "2"))
      faults.space.withLock { $0 = room }
      let error = #expect(throws: SyncError.self) { try store.save() }
      #expect(error?.code == .store)
      #expect(try Data(contentsOf: factory.file) == good)
    }
    faults.space.withLock { $0 = .max }
    try store.save()
    let script = try StoreScript()
    let other = try script.factory(of: Data(contentsOf: factory.file))
    #expect(try other.makeStore().nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["1", "2"])
  }

  @Test func `After a failed sync nothing is acknowledged that is not in a new, synced file`() throws {
    let folder = try TemporaryFolder()
    let faults = Faults()
    let factory = makeFactory(in: folder, durability: .commit, operations: faults.operations)
    let before: FileIdentity?
    do {
      let store = try factory.makeStore()
      _ = try store.enqueue(Samples.mutation("1", .create, "event", "1"))
      try store.save()
      before = identity(factory)
      _ = try store.enqueue(Samples.mutation("2", .create, "event", "2"))
      faults.isSyncLost.withLock { $0 = true }
      try store.save()
      #expect(throws: SyncError.self) { try store.pendingSync()?() }
      faults.isSyncLost.withLock { $0 = false }
      try store.save()
      _ = try store.enqueue(Samples.mutation("3", .create, "event", "3"))
      try store.save()
    }
    #expect(identity(factory) != before)
    #expect(
      try factory.makeStore().nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["1", "2", "3"])
  }

  @Test func `Compacting changes the file and nothing else`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    let twin = InMemorySyncStoreFactory(domain: .sample)
    var random = SeededGenerator(seed: 5)
    var identities = Set<FileIdentity>()
    for _ in 0..<4 {
      let (store, model) = (try factory.makeStore(), twin.makeStore())
      #expect(try StoreState(store) == StoreState(model))
      for _ in 0..<1500 {
        let number = Int(random.next() % 80)
        let text = String(repeating: "x", count: Int(random.next() % 2000))
        for store in [store, model] {
          try store.upsert(
            SyncEntity(key: EntityKey(kind: "event", id: "\(number)"), members: ["text": .string(text)]))
          try StoreScript.change(store, number)
          try store.save()
        }
        if let identity = identity(factory) { identities.insert(identity) }
      }
      #expect(try StoreState(store) == StoreState(model))
    }
    #expect(identities.count > 1, "it was never compacted")
    #expect((Posix.status(at: factory.file.path)?.size ?? .max) < 3 << 20)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["sync.log"])
  }

  @Test func `A store of which everything counts is not compacted in vain`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    let store = try factory.makeStore()
    let before = identity(factory)
    for number in 0..<3000 {
      _ = try store.enqueue(
        Samples.mutation(
          "\(number)", .create, "event", "\(number)",
          members: ["text": .string(String(repeating: "x", count: 1000))]))
      try store.save()
    }
    #expect(identity(factory) == before)
    #expect((Posix.status(at: factory.file.path)?.size ?? 0) > 3_000_000)
  }

  @Test func `What a killed compaction has left goes at the next opening`() throws {
    let folder = try TemporaryFolder()
    let left = try folder.write("half", to: ".sync.log.optimizing")
    _ = try makeFactory(in: folder).makeStore()
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test func `A symbolic link stays one when the file behind it is compacted`() throws {
    let script = try StoreScript()
    var bytes = Array(try Data(contentsOf: script.file))
    bytes[script.sizes[3]] ^= 1
    let real = try script.factory(of: bytes, name: "real.log")
    let link = script.folder.path("link.log")
    #expect(symlink(real.file.path, link) == 0)
    let factory = FileSyncStoreFactory(file: URL(fileURLWithPath: link), domain: .sample)
    #expect(try StoreState(factory.makeStore()) == script.states[3])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real.file.path)
    #expect(try StoreState(real.makeStore()) == script.states[3])
  }

  @Test func `A value nested too deep is refused by itself`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    let key = EntityKey(kind: "event", id: "1")
    func row(depth: Int) -> SyncEntity {
      SyncEntity(key: key, members: ["a": (1..<depth).reduce(SyncValue.null) { value, _ in .array([value]) }])
    }
    do {
      let store = try factory.makeStore()
      try store.upsert(row(depth: 512))
      let error = #expect(throws: SyncError.self) { try store.upsert(row(depth: 513)) }
      #expect(error?.code == .store)
      #expect(try store.entity(key) == row(depth: 512))
      try store.save()
    }
    #expect(try factory.makeStore().entity(key) == row(depth: 512))
  }
}
