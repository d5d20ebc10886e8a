import Foundation
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// A disk that becomes full while changes wait.
@Suite("A full disk")
struct FullDiskTests {
  private let system: MountedFileSystem?
  private let server = ScriptedServer(clock: SimulationClock(start: .distantPast))

  /// Without the right to mount, there is nothing to see.
  init() throws { system = try MountedFileSystem(.memory(bytes: 12 << 20), isVisible: true) }

  /// Queues changes until one is refused, fills the disk up, and makes a run.
  ///
  /// - Returns: The ids of the changes that were accepted, and the refusal.
  private func queueAndSync(
    _ engine: SyncEngine, on system: MountedFileSystem, room: Int
  ) async throws -> (accepted: [String], refusal: SyncError?) {
    try await engine.skipToLatestCursor()
    var accepted: [String] = []
    for number in 0..<20_000 {
      if number == 1 { system.fill(sparing: room) }
      do {
        try await engine.queueMutation(
          .create, of: EntityKey(kind: number % 4 == 0 ? "geofence" : "event", id: "\(number)"),
          members: ["name": "walk"])
        accepted.append("\(number)")
      } catch let error as SyncError {
        system.fill(sparing: 0)
        await engine.requestSync()
        return (accepted, error)
      }
    }
    return (accepted, nil)
  }

  private func makeEngine(_ stores: any SyncStoreFactory) -> SyncEngine {
    SyncEngine(
      SyncEnvironment(
        domain: .sample, backend: server, stores: stores, preferences: InMemoryPreferences()),
      configuration: .onRequest)
  }

  private func factory(on system: MountedFileSystem) -> FileSyncStoreFactory {
    FileSyncStoreFactory(file: URL(fileURLWithPath: system.path("sync")), domain: .sample)
  }

  @Test(arguments: [300_000, 3_000_000, 9_000_000])
  func `What waits is sent once and settled, what is new is refused, and with room all goes on`(room: Int)
    async throws
  {
    guard let system else { return }
    let engine = makeEngine(factory(on: system))
    let (accepted, refusal) = try await queueAndSync(engine, on: system, room: room)
    #expect(refusal?.code == .store && !accepted.isEmpty)
    let sent = server.batches.joined().map(\.entity.id) + server.singles.map(\.entity.id)
    #expect(sent.sorted() == accepted.sorted())
    #expect(try await engine.pendingCount() == 0)
    system.free()
    try await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "new"))
    await engine.requestSync()
    #expect(try await engine.pendingCount() == 0)
    await engine.stop()
  }

  @Test func `Without the room that is kept, nothing could be settled`() async throws {
    guard let system else { return }
    // Its stores keep none.
    let engine = makeEngine(CountingStoreFactory(factory(on: system)))
    _ = try await queueAndSync(engine, on: system, room: 300_000)
    #expect(try await engine.pendingCount() > 0)
    await engine.stop()
  }
}
