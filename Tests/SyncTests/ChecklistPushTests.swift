import Foundation
import Resilience
import Testing

@testable import Sync

@Suite("Checklist C.1: batches, single flight, health gate")
struct ChecklistPushTests {
  private let timeout = SyncError(.timeout)

  @Test("A-7: of a batch of three with item 1 rejected, items 0 and 2 leave and item 1 has an attempt")
  func partialBatch() throws {
    let rig = try EngineRig()
    for number in 0..<3 { try rig.queue(.create, "event", "e\(number)") }
    rig.server.set {
      $0.batches = [
        BatchAnswer(
          created: [RemoteEntity(id: "e0", members: [:]), RemoteEntity(id: "e2", members: [:])],
          failures: [.init(position: 1, code: "invalid", message: "no name")])
      ]
    }
    try rig.sync()
    #expect(try rig.pending == 1)
    #expect(try rig.mutations("event", "e1").map(\.attempts) == [1])
    #expect(try rig.row("event", "e0")?.status == .synced)
    #expect(try rig.row("event", "e1")?.status == .pending)
    #expect(rig.recorded(SyncMetric.run).last?.status == .partial)
  }

  @Test("A-8: sixty queued event creates produce two requests, of 50 and of 10")
  func batches() throws {
    let rig = try EngineRig()
    for number in 0..<60 { try rig.queue(.create, "event", "e\(number)") }
    try rig.sync()
    #expect(rig.server.batches.map(\.count) == [50, 10])
  }

  @Test("A-9: a timeout of a batch leaves every mutation of it queued; the next run sends halves")
  func batchTimeout() throws {
    let rig = try EngineRig()
    for number in 0..<8 { try rig.queue(.create, "event", "e\(number)") }
    rig.server.set { $0.pushes = [timeout] }
    try rig.sync()
    #expect(try rig.pending == 8)
    #expect(try (0..<8).allSatisfy { try rig.mutations("event", "e\($0)").map(\.attempts) == [0] })
    try rig.sync()
    #expect(rig.server.batches.map(\.count) == [8, 4, 4])
    #expect(try rig.pending == 0)
  }

  @Test("a bad item ends alone in its batch, and only there it uses up its attempts")
  func halving() throws {
    var configuration = SyncConfiguration.onRequest
    configuration.attemptDelay = Backoff(base: .zero, maximum: .zero)
    let rig = try EngineRig(configuration: configuration)
    for number in 0..<4 { try rig.queue(.create, "event", "e\(number)") }
    let broken = SyncError(.server, status: 500, detail: "boom")
    // Whoever sends e2 gets 500, whatever else is in the batch.
    var runs = 0
    while try rig.pending > 0, runs < 20 {
      runs += 1
      let sizes = try (0..<4).compactMap { try rig.mutations("event", "e\($0)").first?.batchLimit ?? 50 }
      rig.server.set { script in
        script.pushes = []
        var waiting = try! (0..<4).filter { try !rig.mutations("event", "e\($0)").isEmpty }[...]
        while let first = waiting.first {
          let limit = sizes.isEmpty ? 50 : try! rig.mutations("event", "e\(first)").first?.batchLimit ?? 50
          let batch = waiting.prefix(limit)
          script.pushes.append(batch.contains(2) ? broken : nil)
          waiting = waiting.dropFirst(batch.count)
        }
      }
      try rig.sync()
    }
    #expect(try rig.run { try await $0.deadLetters().map(\.entity.id) } == ["e2"])
    #expect(runs == 7)
    #expect(try rig.row("event", "e2")?.status == .failed)
  }

  @Test("A-10: a fully accepted batch empties the queue")
  func accepted() throws {
    let rig = try EngineRig()
    for number in 0..<5 { try rig.queue(.create, "event", "e\(number)") }
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(rig.recorded(SyncMetric.pending).last == 0)
  }

  @Test("A-12: an empty queue causes no batch request")
  func emptyQueue() throws {
    let rig = try EngineRig()
    try rig.sync()
    #expect(rig.server.calls == [.probe, .changes(since: 1)])
  }

  @Test("A-13: event creates go as a batch while an event type in the same run goes alone, with its key")
  func mixed() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "e1")
    try rig.queue(.create, "eventType", "t1")
    let key = try rig.mutations("eventType", "t1")[0].idempotencyKey
    try rig.sync()
    #expect(rig.server.batches.map { $0.map(\.entity.id) } == [["e1"]])
    #expect(rig.server.singles.map(\.idempotencyKey) == [key])
  }

  /// The answers to five callers at the same time.
  private func fiveAtOnce(_ rig: EngineRig) throws -> [SyncEngine.Outcome] {
    rig.server.set { $0.delay = .seconds(1) }
    return try rig.run { engine in
      await withTaskGroup(of: SyncEngine.Outcome.self) { group in
        for _ in 0..<5 { group.addTask { await engine.requestSync() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
  }

  @Test("A-14: five concurrent requests run one health check and one cycle")
  func singleFlight() throws {
    let rig = try EngineRig()
    _ = try fiveAtOnce(rig)
    #expect(rig.server.probes == 1 && rig.server.cursors.count == 1)
  }

  @Test("A-15: all five concurrent callers return, four of them refused")
  func allReturn() throws {
    let outcomes = try fiveAtOnce(try EngineRig())
    #expect(outcomes.count == 5)
    #expect(outcomes.count { $0 == .refused(reason: "a run is active") } == 4)
  }

  @Test("A-16: two sequential syncs run two health checks")
  func twoInARow() throws {
    let rig = try EngineRig()
    for _ in 0..<2 { try rig.sync() }
    #expect(rig.server.probes == 2)
  }

  @Test("A-17: three rapid sequential syncs are three cycles")
  func threeInARow() throws {
    let rig = try EngineRig()
    for _ in 0..<3 { try rig.sync() }
    #expect(rig.server.probes == 3 && rig.server.cursors.count == 3)
    #expect(rig.recorded(SyncMetric.run).map(\.status) == [.success, .success, .success])
  }

  /// A run whose probe fails: nothing else is sent, nothing changes, and the next run is free to begin.
  private func expectBlocked(by error: SyncError) throws {
    let rig = try EngineRig()
    for number in 0..<3 { try rig.queue(.create, "event", "e\(number)") }
    try rig.queue(.create, "geofence", "g")
    let before = try (0..<3).map { try rig.mutations("event", "e\($0)") } + [rig.mutations("geofence", "g")]
    rig.server.set { $0.probes = [error] }
    try rig.sync()
    #expect(rig.server.calls == [.probe])
    let after = try (0..<3).map { try rig.mutations("event", "e\($0)") } + [rig.mutations("geofence", "g")]
    #expect(after == before)
    #expect(try rig.state == .idle)
    #expect(try rig.run { await $0.history } == [])
    #expect(rig.count(of: "SyncSuccess") + rig.count(of: "SyncFailure") == 0)
    #expect(rig.recorded(SyncMetric.run).map(\.status) == [.skipped])
    try rig.sync()
    #expect(try rig.pending == 0)
  }

  @Test(
    "A-18: an undecodable probe body stops the run: one probe, no batch, no single create, nothing changed")
  func loginPage() throws {
    try expectBlocked(by: SyncError(.undecodable, status: 200, detail: "<html>"))
  }

  @Test("A-20: a network error in the probe stops the run and keeps the mutation")
  func noNetwork() throws { try expectBlocked(by: SyncError(.noConnection)) }

  @Test("A-22: a 503 probe leaves all queued mutations in place")
  func unavailable() throws { try expectBlocked(by: SyncError(.server, status: 503)) }

  @Test("A-23: a probe timeout prevents both push and pull")
  func probeTimeout() throws { try expectBlocked(by: SyncError(.timeout)) }

  @Test("A-24: a 500 probe prevents push and pull and keeps the mutation")
  func serverError() throws { try expectBlocked(by: SyncError(.server, status: 500)) }

  @Test("A-19: a valid probe answer lets the flush run and the queue empties")
  func healthy() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g1")
    try rig.sync()
    #expect(try rig.pending == 0)
  }

  @Test("A-21: every sync is preceded by its own probe")
  func ownProbe() throws {
    let rig = try EngineRig()
    for number in 0..<3 {
      try rig.queue(.create, "geofence", "g\(number)")
      try rig.sync()
    }
    let kinds = rig.server.calls.map { call -> String in
      switch call {
      case .probe: "probe"
      case .single: "push"
      default: "pull"
      }
    }
    #expect(kinds == Array(repeating: ["probe", "push", "pull"], count: 3).flatMap { $0 })
  }

  @Test("A-75: exactly one of SyncSuccess and SyncFailure per started run, none for a refused or skipped one")
  func oneVerdict() throws {
    let rig = try EngineRig()
    try rig.sync()
    rig.server.set { $0.probes = [SyncError(.timeout)] }
    try rig.sync()
    rig.server.set { $0.pages = [.failure(SyncError(.server, status: 500, detail: "down"))] }
    try rig.sync()
    rig.server.set { $0.probes = Array(repeating: SyncError(.rateLimited, status: 429), count: 3) }
    for _ in 0..<4 { try rig.sync() }
    #expect(rig.count(of: "SyncSuccess") == 1)
    #expect(rig.count(of: "SyncFailure") == 1)
    #expect(
      rig.recorded(SyncMetric.run).map(\.status) == [
        .success, .skipped, .failed, .skipped, .skipped, .failed,
      ])
  }
}
