import Foundation
import Testing

@testable import Sync

@Suite("Checklist C.1: queue, duplicates, dead letters")
struct ChecklistQueueTests {
  @Test("A-31: queueing the same create twice leaves one pending mutation")
  func sameCreate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "e")
    try rig.queue(.create, "event", "e")
    #expect(try rig.pending == 1)
  }

  @Test("A-32: a delete queued after a create of the same entity is never lost")
  func deleteAfterCreate() throws {
    let rig = try EngineRig()
    // Sent without an answer, so the server may have it.
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [SyncError(.timeout)] }
    try rig.sync()
    try rig.queue(.delete, "geofence", "g", [:])
    #expect(try rig.mutations("geofence", "g").map(\.operation) == [.delete])
    try rig.sync()
    #expect(rig.server.singles.last?.operation == .delete)
    #expect(try rig.rows("geofence") == [])
  }

  @Test("a create that was never attempted and its delete send nothing at all")
  func createAndDelete() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    try rig.queue(.delete, "geofence", "g", [:])
    try rig.sync()
    #expect(rig.server.singles == [])
    #expect(rig.recorded(SyncMetric.mutation).map(\.state).contains(.cleared))
  }

  private func twoCreates() throws -> [Mutation] {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "a")
    try rig.queue(.create, "event", "b")
    return try rig.mutations("event", "a") + rig.mutations("event", "b")
  }

  @Test("A-33: the same operation on two entities is queued twice")
  func twoEntities() throws {
    #expect(try twoCreates().map(\.operation) == [.create, .create])
  }

  @Test("A-34: two mutations have different idempotency keys")
  func differentKeys() throws {
    #expect(try Set(twoCreates().map(\.idempotencyKey)).count == 2)
  }

  @Test("A-35: the idempotency key is a UUID")
  func keys() throws {
    #expect(try twoCreates().allSatisfy { UUID(uuidString: $0.idempotencyKey) != nil })
  }

  private func expectDuplicate(_ error: SyncError) throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [error] }
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.row("geofence", "g") == nil)
    #expect(rig.recorded(SyncMetric.run).last?.pushed == 1)
  }

  @Test(
    "A-36: 409 removes both the mutation and the local duplicate row",
    arguments: [SyncError(.duplicate, status: 409), SyncError(.http, status: 409)])
  func conflict(error: SyncError) throws { try expectDuplicate(error) }

  @Test(
    "A-37: an answer whose code or text reports a uniqueness violation is handled like 409",
    arguments: [
      SyncError(.server, status: 500, detail: "UNIQUE constraint failed: geofence.name"),
      SyncError(.http, status: 422, detail: #"{"error":{"code":"unique_violation","message":"name"}}"#),
      SyncError(.server, status: 500, detail: "ERROR: duplicate key value violates unique constraint"),
      SyncError(.http, status: 400, detail: "duplicate"),
    ])
  func duplicates(error: SyncError) throws { try expectDuplicate(error) }

  @Test("A-36 in a batch: the code duplicate counts as success, and a merged item loses its local row")
  func duplicatesInBatch() throws {
    let rig = try EngineRig()
    for id in ["a", "b"] { try rig.queue(.create, "event", id) }
    rig.server.set {
      $0.batches = [
        BatchAnswer(
          created: [RemoteEntity(id: "a", members: [:])],
          failures: [.init(position: 1, code: "duplicate", message: "")])
      ]
    }
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.rows("event").map(\.key.id) == ["a"])
  }

  @Test("A-38: a 400 keeps the mutation with attempts 1")
  func badRequest() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [SyncError(.http, status: 400, detail: "no radius")] }
    try rig.sync()
    let kept = try rig.mutations("geofence", "g")
    #expect(kept.map(\.attempts) == [1])
    #expect(kept.first?.lastError == "request refused (HTTP 400): no radius")
    #expect(rig.count(of: "RetryAttempt") == 1)
  }

  @Test(
    "A-67: at the fifth counted failure the row is failed and the mutation a dead letter that can be requeued"
  )
  func deadLetters() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    let key = try rig.mutations("geofence", "g")[0].idempotencyKey
    rig.server.set { $0.pushes = Array(repeating: SyncError(.server, status: 500), count: 5) }
    try rig.sync()
    for (attempts, wait) in zip(1..., [30, 60, 120, 240]) {
      // However often the app asks meanwhile: the next attempt is not due.
      for _ in 0..<5 { try rig.sync() }
      #expect(try rig.mutations("geofence", "g").map(\.attempts) == [attempts])
      rig.advance(by: .seconds(wait))
    }
    #expect(try rig.pending == 0)
    let letters = try rig.run { try await $0.deadLetters() }
    #expect(letters.map(\.attempts) == [5])
    #expect(try rig.row("geofence", "g")?.status == .failed)
    #expect(rig.count(of: "RetryAttempt") == 4)
    #expect(try rig.run { try await $0.requeueDeadLetter(letters[0].id) })
    #expect(try rig.pending == 1)
    try rig.sync()
    #expect(rig.server.singles.map(\.idempotencyKey) == Array(repeating: key, count: 6))
    #expect(try rig.row("geofence", "g")?.status == .synced)
  }

  @Test("A-72: a batch item missing from the answer gets an attempt counted")
  func missingItem() throws {
    let rig = try EngineRig()
    for id in ["a", "b"] { try rig.queue(.create, "event", id) }
    rig.server.set { $0.batches = [BatchAnswer(created: [RemoteEntity(id: "a", members: [:])])] }
    try rig.sync()
    #expect(try rig.mutations("event", "b").map(\.attempts) == [1])
  }

  @Test("A-73: a new event type and its first event, queued together, both succeed in one run")
  func dependencies() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "e", ["eventTypeId": "t"])
    try rig.queue(.create, "eventType", "t")
    try rig.sync()
    let pushed: [String] = rig.server.calls.compactMap { call in
      switch call {
      case .batch: "event"
      case .single: "type"
      default: nil
      }
    }
    #expect(pushed == ["type", "event"])
    #expect(try rig.pending == 0)
  }

  @Test("deletes go in the reverse order: events before their type")
  func deletesInReverse() throws {
    let rig = try EngineRig()
    try rig.queue(.delete, "eventType", "t", [:])
    try rig.queue(.delete, "event", "e", [:])
    try rig.sync()
    #expect(rig.server.singles.map(\.entity.id) == ["e", "t"])
  }

  @Test("A-74: a 404 on delete removes the mutation as done")
  func notFound() throws {
    let rig = try EngineRig()
    try rig.queue(.delete, "geofence", "g", [:])
    rig.server.set { $0.pushes = [SyncError(.notFound, status: 404)] }
    try rig.sync()
    #expect(try rig.pending == 0)
  }

  @Test("an undecodable payload counts an attempt and is left out of the request")
  func undecodable() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "a")
    try rig.run {
      try await $0.queueMutation(.create, of: EntityKey(kind: "event", id: "b"), payload: Data("[1".utf8))
    }
    try rig.sync()
    #expect(rig.server.batches.map { $0.map(\.entity.id) } == [["a"]])
    #expect(try rig.mutations("event", "b").map(\.attempts) == [1])
  }

  @Test("a mutation whose local row is gone is removed when the server has it")
  func rowGone() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    try rig.run { engine in
      try await engine.protectedWrite { store in
        try store.removeEntity(EntityKey(kind: "geofence", id: "g"))
        try store.save()
      }
    }
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.rows("geofence") == [])
  }

  @Test("rows that are pending without a mutation are queued before a run")
  func sweep() throws {
    let rig = try EngineRig()
    try rig.run { engine in
      try await engine.protectedWrite { store in
        try store.upsert(
          SyncEntity(key: EntityKey(kind: "geofence", id: "g"), members: ["name": "home"], status: .pending))
        try store.save()
      }
    }
    try rig.sync()
    #expect(rig.server.singles.map(\.members) == [["name": "home"]])
  }

  @Test("a create that is ignored does not change the row either")
  func ignoredCreate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g", ["name": "home"])
    try rig.queue(.create, "geofence", "g", ["name": "other"])
    #expect(try rig.row("geofence", "g")?.members == ["name": "home"])
  }

  @Test("what is cleared without marking its rows is not queued again")
  func clearedQuietly() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    #expect(try rig.run { try await $0.clearPending(marksRows: false) } == 1)
    try rig.sync()
    #expect(rig.server.singles == [])
    #expect(try rig.row("geofence", "g")?.status == .synced)
  }

  @Test("a store that has to be opened anew while an answer is written loses nothing of it")
  func answerAndStaleHandle() throws {
    for place in 1...12 {
      let rig = try EngineRig()
      for id in ["a", "b", "c"] { try rig.queue(.create, "event", id) }
      rig.server.set {
        $0.batches = [
          BatchAnswer(
            created: [RemoteEntity(id: "a", members: [:]), RemoteEntity(id: "c", members: [:])],
            failures: [.init(position: 1, code: "invalid", message: "")])
        ]
        $0.delay = .seconds(1)
      }
      rig.start { await $0.requestSync() }
      rig.advance(by: .milliseconds(1500))
      #expect(rig.server.batches.count == 1)
      rig.stores.fail(.init(operation: place, operationCode: .storeUnavailable))
      rig.advance(by: .seconds(30))
      #expect(try rig.mutations("event", "a").isEmpty && rig.mutations("event", "c").isEmpty, "at \(place)")
      #expect(try rig.mutations("event", "b").map(\.attempts) == [1], "at \(place)")
      #expect(rig.recorded(SyncMetric.mutation).count { $0.state == .acknowledged } == 2)
    }
  }

  @Test("A-54 and rule 17: clearing returns the number, fails the rows and closes the breaker")
  func clearing() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    #expect(try rig.run { try await $0.clearPending() } == 1)
    #expect(try rig.row("geofence", "g")?.status == .failed)
    #expect(try rig.state == .idle && rig.pending == 0)
  }
}
