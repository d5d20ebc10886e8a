import Foundation
import Platform
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// How an engine ends and begins again, and what it tells (docs/sync-engine.md, "Lifecycle").
@Suite("Lifecycle of an engine")
struct LifecycleTests {
  private func engine(
    _ rig: EngineRig, _ stores: any SyncStoreFactory,
    _ preferences: any SyncPreferences = InMemoryPreferences()
  ) -> SyncEngine {
    var environment = SyncEnvironment(
      domain: .sample, backend: rig.server, stores: stores, preferences: preferences)
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    return SyncEngine(environment, configuration: .onRequest)
  }

  /// The error of each of four calls; `nil` for one that succeeds.
  private func answers(of engine: SyncEngine, _ rig: EngineRig) -> [SyncError.Code?] {
    let answers = Locked<[SyncError.Code?]>([])
    _ = rig.tasks.start {
      for attempt in 0..<4 {
        do {
          switch attempt {
          case 0: _ = try await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "x"))
          case 1: _ = try await engine.clearPending()
          case 2: _ = try await engine.pendingCount()
          default: try await engine.erase()
          }
          answers.withLock { $0.append(nil) }
        } catch { answers.withLock { $0.append((error as? SyncError)?.code) } }
      }
    }
    rig.settle()
    return answers.withLock { $0 }
  }

  @Test(
    "13 of A.10: a stopped engine refuses everything, tells those who wait, and lets another one open the store"
  )
  func stop() throws {
    let folder = try TemporaryFolder()
    let stores = FileSyncStoreFactory(file: folder.url.appendingPathComponent("sync.log"), domain: .sample)
    let rig = try EngineRig()
    let first = engine(rig, stores)
    let heard = Locked<[SyncEngine.Outcome]>([])
    let ends = Locked(0)
    rig.server.set { $0.delay = .seconds(10) }
    _ = rig.tasks.start {
      _ = try? await first.queueMutation(.create, of: EntityKey(kind: "geofence", id: "g"))
      let outcome = await first.requestSync()
      heard.withLock { $0.append(outcome) }
    }
    for _ in 0..<2 {
      _ = rig.tasks.start {
        for await _ in await first.updates() {}
        for await _ in await first.notices() {}
        ends.withLock { $0 += 1 }
      }
    }
    rig.settle()
    rig.advance(by: .seconds(5))
    _ = rig.tasks.start { await first.stop() }
    rig.settle()
    #expect(ends.withLock { $0 } == 2)
    #expect(heard.withLock { $0.count } == 1)
    #expect(answers(of: first, rig) == [.stopped, .stopped, .stopped, .stopped])
    let second = engine(rig, stores)
    let pending = Locked<Int?>(nil)
    _ = rig.tasks.start {
      let count = try? await second.pendingCount()
      pending.withLock { $0 = count }
    }
    rig.settle()
    #expect(pending.withLock { $0 } == 1)
    rig.advance(by: .seconds(10_000))
    #expect(rig.server.probes == 1)
  }

  @Test(
    "10 and 13 of A.10: a second engine on the same store is refused with a typed error, and writes no preferences"
  )
  func second() throws {
    let folder = try TemporaryFolder()
    let stores = FileSyncStoreFactory(file: folder.url.appendingPathComponent("sync.log"), domain: .sample)
    let rig = try EngineRig()
    let preferences = InMemoryPreferences()
    let (first, other) = (engine(rig, stores, preferences), engine(rig, stores, preferences))
    let code = Locked<SyncError.Code?>(nil)
    _ = rig.tasks.start {
      _ = try? await first.pendingCount()
      do { _ = try await other.queueMutation(.create, of: EntityKey(kind: "geofence", id: "g")) } catch {
        code.withLock { $0 = (error as? SyncError)?.code }
      }
      _ = await other.requestSync()
    }
    rig.settle()
    rig.advance(by: .seconds(1))
    #expect(code.withLock { $0 } == .storeInUse)
    #expect(preferences.value("history") == nil)
  }

  @Test("13 of A.10: a run is cancelled and waited for; what the server took by then is kept")
  func cancel() throws {
    let rig = try EngineRig()
    for id in 0..<3 { try rig.queue(.create, "geofence", "g\(id)") }
    rig.server.set { $0.delay = .seconds(1) }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(2.5))
    let isDone = Locked(false)
    rig.start { engine in
      _ = await engine.cancelSync()
      isDone.withLock { $0 = true }
    }
    #expect(isDone.withLock { $0 })
    #expect(try rig.state == .idle && rig.run { await $0.machine.run == nil })
    #expect(try rig.pending == 2)
    // The request that was on its way is acknowledged by its late answer, and never sent twice.
    rig.advance(by: .seconds(1))
    #expect(try rig.pending == 1)
    try rig.sync()
    #expect(rig.server.singles.map(\.entity.id) == ["g0", "g1", "g2"])
    #expect(try !rig.run { await $0.cancelSync() })
  }

  @Test("13 of A.10: erasing forgets queue, rows, cursor and preferences, and the files hold nothing of them")
  func erase() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync.log")
    let rig = try EngineRig(stores: CountingStoreFactory(FileSyncStoreFactory(file: file, domain: .sample)))
    try rig.queue(.create, "geofence", "secret-id", ["name": "secret-name"])
    try rig.sync()
    try rig.queue(.update, "geofence", "secret-id", ["name": "secret-too"])
    try rig.run { try await $0.erase() }
    #expect(try rig.pending == 0 && rig.rows("geofence") == [] && rig.run { try await $0.cursor() }.isStart)
    #expect(rig.preferences.value("history") == nil && rig.preferences.value("erasing") == nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
      #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
    rig.server.set { $0.latestCursor = .success(9) }
    try rig.sync()
    #expect(rig.server.fetches > 0)
  }

  @Test("13 of A.10: an erasing that was cut short is finished when the store is opened again")
  func erasing() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    try SyncPreferenceValues(rig.preferences).setErasing(true)
    try rig.run { await $0.resetStore() }
    #expect(try rig.pending == 0 && rig.rows("geofence") == [])
    try rig.run { try await $0.erase() }
    #expect(rig.preferences.value("erasing") == nil)
  }

  @Test("an app hears of runs by timer too, of rows, of changes that were not taken with the typed error")
  func notices() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    let heard = Locked<[SyncNotice]>([])
    rig.start { engine in for await notice in await engine.notices() { heard.withLock { $0.append(notice) } }
    }
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 5) }
    try rig.queue(.create, "geofence", "g")
    rig.advance(by: .seconds(1000))
    let all = heard.withLock { $0 }
    let failures = all.compactMap {
      if case .failed(_, let error, let isDead) = $0 { (error.status, isDead) } else { nil }
    }
    #expect(failures.map(\.0) == Array(repeating: 422, count: 5))
    #expect(failures.map(\.1) == [false, false, false, false, true])
    let runs = all.compactMap { if case .run(let run) = $0 { run.trigger } else { nil } }
    #expect(runs == [.queue, .retry, .retry, .retry, .retry])
    #expect(all.first == .rows([EntityKey(kind: "geofence", id: "g")]))
    try rig.run { _ = await $0.forceFullResync() }
    rig.settle()
    #expect(heard.withLock { $0 }.contains(.startsOver(.forced)))
  }

  @Test("payloads that wait are brought to the app's format, once, before anything is sent")
  func migration() throws {
    let stores = InMemorySyncStoreFactory(domain: .sample)
    let preferences = InMemoryPreferences()
    let rig = try EngineRig()
    let old = engine(rig, stores, preferences)
    _ = rig.tasks.start {
      _ = try? await old.queueMutation(
        .create, of: EntityKey(kind: "geofence", id: "a"), members: ["name": "one"])
      _ = try? await old.queueMutation(
        .create, of: EntityKey(kind: "geofence", id: "b"), members: ["bad": true])
      await old.stop()
    }
    rig.settle()
    let calls = Locked(0)
    var environment = SyncEnvironment(
      domain: .sample, backend: rig.server, stores: stores, preferences: preferences)
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    environment.payloads = SyncPayloadFormat(version: 2) { members, mutation in
      calls.withLock { $0 += 1 }
      guard members["bad"] == nil, mutation.payloadVersion == 0 else { return nil }
      return ["title": members["name"] ?? .null]
    }
    for isFirst in [true, false] {
      let new = SyncEngine(environment, configuration: .onRequest)
      let dead = Locked<[String]>([])
      let told = Locked<[SyncNotice]>([])
      _ = rig.tasks.start {
        for await notice in await new.notices() { told.withLock { $0.append(notice) } }
      }
      rig.settle()
      _ = rig.tasks.start {
        let ids = (try? await new.deadLetters().map(\.entity.id)) ?? []
        dead.withLock { $0 = ids }
        await new.stop()
      }
      rig.settle()
      #expect(dead.withLock { $0 } == ["b"])
      let failures = told.withLock { $0 }.compactMap { notice -> String? in
        guard case .failed(let mutation, let error, isDead: true) = notice else { return nil }
        return "\(mutation.entity.id): \(error.detail)"
      }
      #expect(failures == (isFirst ? ["b: the payload of version 0 cannot be brought to 2"] : []))
    }
    #expect(calls.withLock { $0 } == 2)
    #expect(try stores.makeStore().mutations().map(\.payloadVersion) == [2])
    #expect(try stores.makeStore().mutations().first?.payload == Data(#"{"title":"one"}"#.utf8))
  }

  @Test("updates and deletes go in batches where their kind says so, as many as fit into its bytes")
  func batches() throws {
    let kind = EntityKind(
      name: "note", rank: 0, batchSize: 10, batched: [.create, .update, .delete], batchBytes: 700)
    let rig = try EngineRig()
    let stores = InMemorySyncStoreFactory(domain: SyncDomain(kinds: [kind]))
    var environment = SyncEnvironment(
      domain: SyncDomain(kinds: [kind]), backend: rig.server, stores: stores,
      preferences: InMemoryPreferences())
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    let engine = SyncEngine(environment, configuration: .onRequest)
    rig.server.set {
      $0.batches = [
        BatchAnswer(
          created: [RemoteEntity(id: "u0", members: ["t": 1], version: "7")],
          failures: [.init(position: 1, code: "gone", message: "", status: 429)]),
        BatchAnswer(taken: [0, 1]),
      ]
    }
    _ = rig.tasks.start {
      for id in ["u0", "u1"] {
        _ = try? await engine.queueMutation(.update, of: EntityKey(kind: "note", id: id), members: ["t": 1])
      }
      for id in 0..<4 {
        _ = try? await engine.queueMutation(.delete, of: EntityKey(kind: "note", id: "d\(id)"))
      }
      _ = try? await engine.queueMutation(
        .create, of: EntityKey(kind: "note", id: "big"),
        members: ["t": .string(String(repeating: "x", count: 5000))])
      _ = try? await engine.queueMutation(
        .create, of: EntityKey(kind: "note", id: "small"), members: ["t": 1])
      _ = await engine.requestSync()
    }
    rig.settle()
    let batches = rig.server.batches.map { $0.map(\.entity.id) }
    #expect(batches.prefix(2) == [["big"], ["small"]])
    #expect(batches.dropFirst(2).first == ["u0", "u1"])
    #expect(batches.dropFirst(3).joined().sorted() == ["d0", "d1", "d2", "d3"])
  }
}
