import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

@testable import Sync

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

  private func makeFactory(
    in folder: TemporaryFolder, durability: FileSyncStoreFactory.Durability = .process,
    operations: FileOperations = .system
  ) -> FileSyncStoreFactory {
    FileSyncStoreFactory(
      file: folder.url.appendingPathComponent("sync"), domain: .sample, durability: durability,
      operations: operations)
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
    let factory = makeFactory(in: folder)
    do {
      let store = try factory.makeStore()
      _ = try store.enqueue(Samples.mutation("1", .create, "event", "1"))
      try store.save()
      let before = try StoreState(store)
      var failures = 0
      for room in stride(from: 0, through: 40_000, by: 1_721) {
        _ = try store.enqueue(Samples.mutation("2", .create, "event", "2"))
        let error: SyncError?
        do {
          try FullDisk.with(room: room) { try store.save() }
          error = nil
        } catch let failure as SyncError { error = failure }
        guard let error else { break }
        #expect(error.code == .store)
        #expect(store.rollback())
        #expect(try StoreState(store) == before)
        failures += 1
      }
      #expect(failures > 5)
      _ = try store.enqueue(Samples.mutation("2", .create, "event", "2"))
      try store.save()
    }
    #expect(try factory.makeStore().nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["1", "2"])
    #expect(factory.damagedFile == nil)
  }

  @Test func `A transaction that a full disk has cut short does not go on by itself`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    let store = try factory.makeStore()
    _ = try store.enqueue(Samples.mutation("1", .create, "event", "1"))
    #expect(throws: SyncError.self) { try FullDisk.with(room: 0) { try store.save() } }
    // Until it is taken back, what comes next is a part of it.
    #expect(throws: SyncError.self) { try store.save() }
    #expect(store.rollback())
    _ = try store.enqueue(Samples.mutation("2", .create, "event", "2"))
    try store.save()
    #expect(try store.mutations().map(\.id) == ["2"])
  }

  @Test func `After a failed sync nothing is acknowledged that is not in the database, synced`() throws {
    let folder = try TemporaryFolder()
    let isSyncLost = Locked(false)
    let operations = FileOperations(
      write: FileOperations.system.write,
      sync: { descriptor in
        guard isSyncLost.withLock({ $0 }) else { return FileOperations.system.sync(descriptor) }
        errno = EIO
        return -1
      })
    let factory = makeFactory(in: folder, durability: .commit, operations: operations)
    let store = try factory.makeStore()
    for id in ["1", "2"] {
      _ = try store.enqueue(Samples.mutation(id, .create, "event", id))
      try store.save()
    }
    isSyncLost.withLock { $0 = true }
    #expect(throws: SyncError.self) { try store.pendingSync()?() }
    isSyncLost.withLock { $0 = false }
    try store.save()
    #expect(store.pendingSync() == nil)
    // The log is not needed any more.
    let script = try StoreScript(transactions: 0)
    let other = try script.factory(of: Data(contentsOf: factory.file))
    #expect(try other.makeStore().nextMutations(after: nil, limit: 9).map(\.mutation.id) == ["1", "2"])
  }

  @Test func `What was freed is given back at an opening, and nothing but the file changes`() throws {
    let folder = try TemporaryFolder()
    let factory = makeFactory(in: folder)
    let text = SyncValue.string(String(repeating: "x", count: 2000))
    var state: StoreState?
    do {
      let store = try factory.makeStore()
      for number in 0..<1500 {
        try store.upsert(SyncEntity(key: EntityKey(kind: "event", id: "\(number)"), members: ["text": text]))
      }
      try store.save()
      for number in 10..<1500 { try store.removeEntity(EntityKey(kind: "event", id: "\(number)")) }
      try store.save()
      state = try StoreState(store)
    }
    #expect((Posix.status(at: factory.file.path)?.size ?? 0) > 3_000_000)
    #expect(try StoreState(factory.makeStore()) == state)
    #expect((Posix.status(at: factory.file.path)?.size ?? .max) < 300_000)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["sync", "sync-lock"])
  }

  @Test func `A symbolic link stays one when the file behind it is replaced`() throws {
    let script = try StoreScript()
    var bytes = Array(script.closed)
    for place in 4096..<8192 { bytes[place] = 0xFF }
    let real = try script.factory(of: bytes, name: "real")
    let link = script.folder.path("link")
    #expect(symlink(real.file.path, link) == 0)
    let factory = FileSyncStoreFactory(file: URL(fileURLWithPath: link), domain: .sample)
    let state = try StoreState(factory.makeStore())
    #expect(factory.damagedFile?.lastPathComponent == "real.damaged")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real.file.path)
    #expect(try StoreState(real.makeStore()) == state)
  }

  @Test func `What a killed replacement has left goes at the next opening`() throws {
    let folder = try TemporaryFolder()
    let left = try folder.write("half", to: ".sync.optimizing")
    _ = try makeFactory(in: folder).makeStore()
    #expect(!FileManager.default.fileExists(atPath: left))
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
