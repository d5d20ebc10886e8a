import Codecs
import Foundation
import Platform
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Findings of a review of the engine, as tests; each was red before it was mended.
@Suite("Promises that a reviewer broke")
struct BrokenPromiseTests {
  private let g = EntityKey(kind: "geofence", id: "g")

  private func engine(_ rig: EngineRig, _ stores: any SyncStoreFactory, _ preferences: any SyncPreferences)
    -> SyncEngine
  {
    var environment = SyncEnvironment(
      domain: .sample, backend: rig.server, stores: stores, preferences: preferences)
    environment.clock = rig.clock
    environment.tasks = rig.tasks
    return SyncEngine(environment, configuration: .onRequest)
  }

  @Test("an erasing that was cut short is finished once, and not again at every opening")
  func erasingFlag() throws {
    let rig = try EngineRig()
    try SyncPreferenceValues(rig.preferences).setErasing(true)
    try rig.queue(.create, "geofence", "new account")
    #expect(try rig.pending == 1)
    try rig.run { await $0.resetStore() }
    #expect(try rig.pending == 1)
  }

  private func bury(_ rig: EngineRig, _ status: Int = 422) throws {
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: status, detail: "no"), count: 5) }
    for _ in 0..<5 {
      try rig.sync()
      rig.advance(by: .seconds(3600))
    }
    rig.server.set { $0.pushes = [] }
  }

  @Test(
    "a dead edit lies beneath a newer one, also once that is acknowledged, and comes back without its members"
  )
  func deadEditShadows() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "old"])
    try rig.queue(.update, "geofence", "g", ["name": "A"])
    try bury(rig)
    #expect(try rig.run { try await $0.deadLetters() }.count == 1)
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    #expect(try rig.row("geofence", "g")?.members == ["name": "B"])
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.row("geofence", "g")?.members == ["name": "B"])
    let id = try rig.run { try await $0.deadLetters() }.first?.id ?? ""
    try rig.run { _ = try await $0.requeueDeadLetter(id) }
    try rig.sync()
    #expect(rig.server.singles.last?.members == ["name": "B"])
    #expect(try rig.row("geofence", "g")?.members == ["name": "B"])
  }

  @Test("a dead create that is discarded leaves a newer create alone")
  func discardTakesNewCreate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A"])
    try bury(rig)
    try rig.queue(.create, "geofence", "g", ["name": "B"])
    #expect(try rig.pending == 1)
    let id = try rig.run { try await $0.deadLetters() }.first?.id ?? ""
    try rig.run { _ = try await $0.discardDeadLetter(id) }
    #expect(try rig.pending == 1)
    #expect(try rig.row("geofence", "g")?.members == ["name": "B"])
  }

  @Test("an edit of what was cleared is visible, and goes as a create")
  func editAfterClear() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A"])
    try rig.run { _ = try await $0.clearPending() }
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    let row = try rig.row("geofence", "g")
    #expect(row?.members == ["name": "B"])
    #expect(row?.status == .pending)
  }

  @Test(
    "a batch whose items are all put off ends the phase as a single change does, and is not sent every second"
  )
  func batchSession() throws {
    for status in [401, 429, 503] {
      let rig = try EngineRig()
      try rig.queue(.create, "event", "e")
      let failure = BatchAnswer.Failure(position: 0, code: "x", message: "", status: status)
      rig.server.set { $0.batches = Array(repeating: BatchAnswer(failures: [failure]), count: 100_000) }
      let outcome = try rig.sync()
      if case .finished(let run) = outcome { #expect(run.status != .success, "\(status) \(run.status)") }
      let failure2 = try rig.run { await $0.lastFailure }
      #expect(failure2 != nil, "\(status)")
      rig.advance(by: .seconds(3600))
      #expect(rig.server.batches.count < 200, "\(status): \(rig.server.batches.count)")
    }
  }

  @Test("429 at the probe leaves a queued change to the next try")
  func probeLimited() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    rig.server.set { $0.probes = [SyncError(httpStatus: 429)] }
    try rig.queue(.create, "geofence", "g")
    rig.advance(by: .seconds(7200))
    #expect(try rig.pending == 0)
  }

  @Test("a cursor that was asked for before an erasing is not taken after it")
  func skipOverErase() throws {
    let rig = try EngineRig(cursor: 5)
    rig.server.set {
      $0.delay = .seconds(1)
      $0.latestCursor = .success(100)
      $0.entities = ["geofence": [RemoteEntity(id: "r", members: ["name": "remote"])]]
    }
    rig.start { _ = try await $0.skipToLatestCursor() }
    rig.start { try await $0.erase() }
    rig.advance(by: .seconds(5))
    rig.server.set { $0.delay = .zero }
    try rig.sync()
    #expect(try rig.row("geofence", "r") != nil)
  }

  @Test("a new life of an entity ends with its remote delete, though the delete before had nothing to delete")
  func phantom() throws {
    let rig = try EngineRig()
    try rig.queue(.delete, "geofence", "g", [:])
    try rig.queue(.create, "geofence", "g", ["name": "new"])
    rig.server.set {
      $0.pushes = [SyncError(httpStatus: 404)]
    }
    try rig.sync()
    rig.server.set { $0.answers = [RemoteEntity(id: "g", members: ["name": "new"], version: "1")] }
    rig.advance(by: .seconds(60))
    try rig.sync()
    #expect(try rig.pending == 0)
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [
              RemoteChange(entity: self.g, operation: .create, members: ["name": "new"], version: "1")
            ], cursor: 2, hasMore: false))
      ]
    }
    try rig.sync()
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [RemoteChange(entity: self.g, operation: .delete, members: [:])], cursor: 3,
            hasMore: false))
      ]
    }
    try rig.sync()
    #expect(try rig.row("geofence", "g") == nil)
  }

  @Test("a reset of the store while the disk is busy acknowledges nothing that is not on the disk")
  func resetDuringSync() throws {
    let disk = try HeldDisk()
    let first = disk.queue("1")
    let second = disk.queue("2")
    disk.start { await $0.resetStore() }
    disk.release()
    #expect(first.isDone && !second.isDone && disk.syncs == 1)
    disk.release()
    #expect(second.isDone && second.error == nil && disk.syncs == 2)
  }

  @Test("a create that a batch refused can be corrected by an edit")
  func correctInBatch() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "e", ["name": "bad"])
    rig.server.set {
      $0.batches = [
        BatchAnswer(failures: [BatchAnswer.Failure(position: 0, code: "invalid", message: "", status: 422)])
      ]
    }
    try rig.sync()
    try rig.queue(.update, "event", "e", ["name": "good"])
    rig.advance(by: .seconds(60))
    try rig.sync()
    #expect(rig.server.batches.last?.first?.members == ["name": "good"])
  }

  @Test("a dead create that the server has after all holds no edit back")
  func deadCreateThatIs() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "A"])
    try bury(rig, 500)
    try rig.queue(.update, "geofence", "g", ["name": "B"])
    rig.server.set {
      $0.pages = [
        .success(
          ChangePage(
            changes: [
              RemoteChange(entity: self.g, operation: .create, members: ["name": "A"], version: "1")
            ], cursor: 2, hasMore: false))
      ]
    }
    try rig.sync()
    try rig.sync()
    #expect(try rig.pending == 0)
  }
}
