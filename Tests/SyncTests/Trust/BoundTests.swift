import Foundation
import Platform
import Testing

@testable import Sync
@testable import SyncSimulation

/// Servers and generators that repeat, or do not end.
@Suite("Bounds")
struct BoundTests {
  private struct Repeating: RandomNumberGenerator {
    func next() -> UInt64 { 7 }
  }

  /// An engine of its own over the rig's clock, tasks and server.
  private func engine(_ rig: EngineRig, _ kinds: [EntityKind], repeating: Bool = false) -> SyncEngine {
    let domain = SyncDomain(kinds: kinds)
    var environment = SyncEnvironment(
      domain: domain, backend: rig.server, stores: InMemorySyncStoreFactory(domain: domain),
      preferences: InMemoryPreferences())
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    if repeating { environment.generator = Repeating() }
    return SyncEngine(environment, configuration: .onRequest)
  }

  @Test func `Of two equal lists in a batch the one that the answer does not name is unanswered`() throws {
    let rig = try EngineRig()
    let list = EntityKind(name: "list", rank: 0, batchSize: 10, naturalKey: ["name"])
    let engine = engine(rig, [list])
    rig.server.set {
      let first = RemoteEntity(id: "a", members: ["name": "shopping"])
      $0.batches = [BatchAnswer(created: [first])]
      $0.entities = ["list": [first]]
    }
    let rows = Locked<[SyncEntity]>([])
    let waiting = Locked<[Mutation]>([])
    _ = rig.tasks.start {
      for id in ["a", "b"] {
        _ = try? await engine.queueMutation(
          .create, of: EntityKey(kind: "list", id: id), members: ["name": "shopping"])
      }
      _ = await engine.requestSync()
      let (found, left) =
        (try? await engine.protectedWrite { (try $0.entities(of: "list"), try $0.mutations()) }) ?? ([], [])
      rows.withLock { $0 = found }
      waiting.withLock { $0 = left }
    }
    rig.settle()
    #expect(rows.withLock { $0 }.map(\.key.id) == ["a", "b"])
    #expect(waiting.withLock { $0 }.map(\.entity.id) == ["b"])
    #expect(waiting.withLock { $0 }.map(\.attempts) == [1])
  }

  @Test func `An answer that has another entity says nothing of the row`() throws {
    let rig = try EngineRig()
    let other = RemoteEntity(id: "h", members: ["name": "theirs"], version: "9")
    rig.server.set {
      $0.answers = [other]
      $0.pushes = [nil, SyncError(httpStatus: 412, current: other)]
    }
    try rig.seed("geofence", "g", ["name": "old"])
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    try rig.sync()
    #expect(try rig.row("geofence", "g")?.members == ["name": "mine"] && rig.pending == 0)
    try rig.queue(.update, "geofence", "g", ["name": "too"])
    try rig.sync()
    #expect(try rig.row("geofence", "g")?.members == ["name": "too"] && rig.pending == 1)
    #expect(rig.recorded(SyncMetric.conflict).isEmpty)
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func `Identifiers that repeat are refused`(pause: Duration) throws {
    let rig = try EngineRig()
    let engine = engine(rig, [EntityKind(name: "list", rank: 0)], repeating: true)
    let errors = Locked<[(any Error)?]>([])
    for id in ["a", "b"] {
      _ = rig.tasks.start {
        do {
          _ = try await engine.queueMutation(.create, of: EntityKey(kind: "list", id: id))
          errors.withLock { $0.append(nil) }
        } catch { errors.withLock { $0.append(error) } }
      }
      rig.settle()
      rig.advance(by: pause)
    }
    #expect(errors.withLock { $0.map { $0 is SyncError } } == [false, true])
  }

  @Test func `A clock that is a year ahead brings back nothing that was deleted elsewhere`() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "old"])
    try rig.queue(.update, "geofence", "g", ["name": "mine"])
    let deleted = RemoteChange(
      entity: EntityKey(kind: "geofence", id: "g"), operation: .delete, members: [:],
      time: rig.clock.wallTime.addingTimeInterval(60 - 365 * 86_400))
    rig.server.set {
      $0.pushes = [SyncError(httpStatus: 404)]
      $0.pages = [.success(ChangePage(changes: [deleted], cursor: 2, hasMore: false))]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g") == nil && rig.pending == 0)
    #expect(rig.recorded(SyncMetric.conflict).map(\.resolution) == ["takeRemote"])
  }

  @Test func `A bootstrap whose pages do not end ends with an error`() throws {
    var configuration = SyncConfiguration.onRequest
    configuration.maxPages = 40
    let (rig, server) = try EngineRig.wrapped(configuration: configuration, cursor: 0)
    let pages = Locked(0)
    server.set {
      $0.entities = { [clock = rig.clock] _, _ in
        let number = pages.withLock { pages in
          pages += 1
          return pages
        }
        try await clock.sleep(until: clock.now + .seconds(1), for: "page")
        return EntityPage(entities: [], next: "\(number)")
      }
    }
    guard case .finished(let run) = try rig.sync() else { return #expect(Bool(false), "no run") }
    #expect(run.failure?.code == .cursorStuck && pages.withLock { $0 } == 40)
  }

  @Test(arguments: [["a", "b"], ["a", "b", "c"], ["start", "b"]])
  func `A feed whose cursors come again ends with an error`(cursors: [String]) throws {
    let (rig, server) = try EngineRig.wrapped(cursor: SyncCursor(opaque: "start"))
    let pages = Locked(0)
    server.set {
      $0.changes = { [clock = rig.clock] _ in
        let number = pages.withLock { pages in
          pages += 1
          return pages
        }
        try await clock.sleep(until: clock.now + .milliseconds(10), for: "page")
        return ChangePage(
          changes: [], cursor: SyncCursor(opaque: cursors[(number - 1) % cursors.count]), hasMore: true)
      }
    }
    guard case .finished(let run) = try rig.sync() else { return #expect(Bool(false), "no run") }
    #expect(run.failure?.code == .cursorStuck && pages.withLock { $0 } <= 4)
    #expect(try rig.storedCursor == rig.run { await $0.machine.cursor })
  }
}
