import Foundation
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Accidents that an acknowledged change survives (docs/sync-engine.md, "Durability").
@Suite("Acknowledged changes and cuts of power")
struct DurabilityTests {
  private func makeEngine(_ disk: CutDisk, _ rig: EngineRig) -> SyncEngine {
    var environment = SyncEnvironment(
      domain: .sample, backend: rig.server, stores: disk, preferences: InMemoryPreferences())
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    return SyncEngine(environment, configuration: .onRequest)
  }

  @Test(
    "2: what queueMutation has returned for is on the disk; the mark of a request is there before it is sent")
  func acknowledged() throws {
    let rig = try EngineRig()
    let disk = CutDisk(domain: .sample)
    let engine = makeEngine(disk, rig)
    _ = rig.tasks.start {
      _ = try? await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "g"))
    }
    rig.settle()
    disk.cut(keeping: 0)
    #expect(try disk.makeStore().mutations().map(\.entity.id) == ["g"])
    let again = makeEngine(disk, rig)
    rig.server.set { $0.delay = .seconds(1) }
    _ = rig.tasks.start { _ = await again.requestSync() }
    rig.settle()
    // The bootstrap's probe, then the push: it is on its way.
    rig.advance(by: .seconds(1.5))
    #expect(rig.server.singles.count == 1)
    disk.cut(keeping: 0)
    #expect(try disk.makeStore().mutations().map(\.mayHaveBeenSent) == [true])
  }

  @Test("the changes of many callers share one wait for the disk")
  func grouped() throws {
    let disk = try HeldDisk()
    let first = disk.queue("first")
    let others = (0..<200).map { disk.queue("\($0)") }
    #expect(!first.isDone && disk.syncs == 0)
    disk.release()
    #expect(first.isDone && !others.contains(where: \.isDone) && disk.syncs == 1)
    disk.release()
    #expect(others.allSatisfy { $0.isDone && $0.error == nil } && disk.syncs == 2)
  }

  @Test func `Changes that come while the disk is busy are stored in one transaction after it`() throws {
    let disk = try HeldDisk()
    _ = disk.queue("first")
    let before = disk.stores.counts.saves
    let others = (0..<5).map { disk.queue("\($0)") }
    #expect(disk.stores.counts.saves == before)
    disk.release()
    #expect(disk.stores.counts.saves == before + 1 && !others.contains(where: \.isDone))
    disk.release()
    #expect(others.count(where: \.isAcknowledged) == 5)
  }

  @Test func `A change that cannot be stored does not fail those that share its transaction`() throws {
    let disk = try HeldDisk()
    _ = disk.queue("first")
    let others = (0..<5).map { disk.queue("\($0)") }
    // Of all together, then of the first alone.
    disk.stores.fail(.init(saves: 2))
    for _ in 0..<2 { disk.release() }
    #expect(others.map(\.isAcknowledged) == [false, true, true, true, true])
    #expect(others.count(where: \.isDone) == 5)
  }

  @Test func `A change that came before a stop is stored, or its caller is told`() throws {
    let disk = try HeldDisk()
    let works = (0..<3).map { disk.queue("\($0)") }
    let stop = disk.start { await $0.stop() }
    for _ in 0..<4 { disk.release() }
    #expect(stop.isDone && works.allSatisfy(\.isDone))
    let stored = try disk.stores.base.makeStore().pendingCount()
    #expect(stored == works.count(where: \.isAcknowledged))
  }

  @Test("2: a store that was damaged is fetched anew, and what waits in it may have been sent")
  func distrusted() throws {
    let script = try StoreScript()
    var bytes = Array(script.log)
    bytes[bytes.count / 2] ^= 1
    let store = try script.factory(of: script.database, log: bytes).makeStore()
    #expect(try store.cursor() == nil)
    #expect(try store.mutations().allSatisfy(\.mayHaveBeenSent))
  }
}
