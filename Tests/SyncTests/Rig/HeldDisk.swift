import Foundation
import Platform
import TestSupport

@testable import Sync

/// An engine over a log in a file, on a disk that is done with a sync when a test says so.
final class HeldDisk {
  let engine: SyncEngine
  /// Counts saves, and lets them fail.
  let stores: CountingStoreFactory
  private let rig: EngineRig
  private let folder: TemporaryFolder
  private let held = Locked<[@Sendable () -> Void]>([])
  private let count = Locked(0)

  init() throws {
    rig = try EngineRig()
    folder = try TemporaryFolder()
    let (tasks, held, count) = (rig.tasks, held, count)
    let operations = FileOperations(
      write: FileOperations.system.write,
      sync: { descriptor in
        count.withLock { $0 += 1 }
        return FileOperations.system.sync(descriptor)
      })
    stores = CountingStoreFactory(
      FileSyncStoreFactory(
        file: folder.url.appendingPathComponent("sync.log"), domain: .sample, durability: .commit,
        operations: operations))
    var environment = SyncEnvironment(
      domain: .sample, backend: rig.server, stores: stores, preferences: InMemoryPreferences())
    environment.clock = rig.clock
    environment.tasks = SyncTasks(
      { tasks.start($0) }, blocking: { work in held.withLock { $0.append(work) } })
    engine = SyncEngine(environment, configuration: .onRequest)
    // Syncs of opening a new log are not counted.
    start { _ = try await $0.pendingCount() }
    count.withLock { $0 = 0 }
  }

  /// How many syncs the disk has done.
  var syncs: Int { count.withLock { $0 } }

  /// Starts work and lets it come as far as it can without the disk.
  ///
  /// - Returns: What says whether it is done, and with what error.
  @discardableResult
  func start(_ body: @escaping @Sendable (SyncEngine) async throws -> Void) -> HeldWork {
    let (work, engine) = (HeldWork(), engine)
    _ = rig.tasks.start {
      do {
        try await body(engine)
        work.end.withLock { $0 = .some(nil) }
      } catch { work.end.withLock { $0 = .some(error) } }
    }
    rig.settle()
    return work
  }

  /// Queues a change.
  func queue(_ id: String) -> HeldWork {
    start { _ = try await $0.queueMutation(.create, of: EntityKey(kind: "event", id: id)) }
  }

  /// Lets the disk do what it was asked for so far.
  func release() {
    let works = held.withLock { held in
      defer { held = [] }
      return held
    }
    for work in works { work() }
    rig.settle()
  }
}

/// Work that may wait for the disk.
final class HeldWork: Sendable {
  fileprivate let end = Locked<(any Error)??>(nil)

  var isDone: Bool { end.withLock { $0 != nil } }
  var isAcknowledged: Bool { isDone && error == nil }
  var error: (any Error)? { end.withLock { $0 ?? nil } }
}
