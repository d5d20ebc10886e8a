import Foundation
import MisterMetricsCore
import Platform
import TelemetryCore
import Testing

@testable import Sync
@testable import SyncSimulation

/// No wake-up is lost and every wait ends (ENGINES A.10, 5 and 6).
@Suite("Waits and wake-ups")
struct WaitTests {
  @Test("7: a request during a pull is followed by a run, and what was queued meanwhile is sent")
  func followUp() throws {
    let rig = try EngineRig()
    rig.server.set { $0.delay = .seconds(1) }
    rig.start { await $0.requestSync() }
    rig.advance(by: .milliseconds(1500))
    #expect(rig.server.cursors.count == 1)
    try rig.queue(.create, "geofence", "g")
    #expect(try rig.run { await $0.requestSync() } == .refused(reason: "a run is active"))
    rig.advance(by: .seconds(5))
    #expect(rig.server.singles.map(\.entity.id) == ["g"])
    #expect(try rig.pending == 0)
    #expect(rig.recorded(SyncMetric.run).map(\.trigger) == ["app", "followUp"])
    rig.advance(by: .seconds(3600))
    #expect(rig.server.probes == 2)
  }

  @Test("A-14 still: requests during the probe share the run, and nothing follows it")
  func noFollowUp() throws {
    let rig = try EngineRig()
    rig.server.set { $0.delay = .seconds(1) }
    rig.start { await $0.requestSync() }
    for _ in 0..<4 { rig.start { await $0.requestSync() } }
    rig.advance(by: .seconds(60))
    #expect(rig.server.probes == 1)
  }

  @Test("5 of A.10: queueing asks for a run after two seconds, once for all that came")
  func debounce() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    try rig.queue(.create, "geofence", "a")
    rig.advance(by: .seconds(1))
    try rig.queue(.create, "geofence", "b")
    #expect(rig.server.probes == 0)
    rig.advance(by: .seconds(1))
    #expect(rig.server.singles.map(\.entity.id) == ["a", "b"])
    rig.advance(by: .seconds(60))
    #expect(rig.server.probes == 1)
    #expect(rig.recorded(SyncMetric.run).map(\.trigger) == ["queue"])
  }

  /// A server one call of which never comes back, whatever is done to its task.
  private final class HangingServer: SyncBackend {
    let base: ScriptedServer
    let hanging: SimulatedCall
    private let gates = Locked<[CheckedContinuation<Void, Never>]>([])

    init(_ base: ScriptedServer, hanging: SimulatedCall) { (self.base, self.hanging) = (base, hanging) }

    private func pass(_ call: SimulatedCall) async {
      guard call == hanging else { return }
      await withCheckedContinuation { gate in gates.withLock { $0.append(gate) } }
    }

    /// Lets come back what hangs.
    func release() {
      let waiting = gates.withLock { gates in
        defer { gates = [] }
        return gates
      }
      for gate in waiting { gate.resume() }
    }

    func probe() async throws {
      await pass(.probe)
      try await base.probe()
    }

    func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
      let answer = try await base.push(batch: batch, of: kind)
      await pass(.push)
      return answer
    }

    func push(_ item: PushItem) async throws -> RemoteEntity? {
      let answer = try await base.push(item)
      await pass(.push)
      return answer
    }

    func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
      await pass(.pull)
      return try await base.changes(since: cursor, limit: limit)
    }

    func latestCursor() async throws -> SyncCursor {
      await pass(.bootstrap)
      return try await base.latestCursor()
    }

    func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
      -> EntityPage
    { try await base.entities(of: kind, ownedBy: owner, page: page, limit: limit) }
  }

  @Test(
    "5: a call that never returns ends at its deadline, and the engine goes on",
    arguments: SimulatedCall.allCases)
  func hungCall(call: SimulatedCall) throws {
    let rig = try EngineRig(cursor: call == .bootstrap ? .start : 1) { HangingServer($0, hanging: call) }
    try rig.queue(.create, "geofence", "g")
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(59))
    #expect(try rig.run { await $0.machine.run != nil })
    rig.advance(by: .seconds(2))
    #expect(try rig.run { await $0.lastFailure?.code } == .timeout)
    // And it may be told what it wants meanwhile.
    rig.start { await $0.forceFullResync() }
    rig.start { await $0.resetStore() }
    rig.advance(by: .seconds(3600))
    #expect(try rig.run { await $0.machine.runs } > 1)
  }

  @Test("8 of A.10: an answer that comes after its deadline still acknowledges")
  func lateAnswer() throws {
    let hanging = Locked<HangingServer?>(nil)
    let rig = try EngineRig { server in
      let new = HangingServer(server, hanging: .push)
      hanging.withLock { $0 = new }
      return new
    }
    try rig.queue(.create, "geofence", "g")
    rig.start { await $0.requestSync() }
    rig.advance(by: .milliseconds(60_100))
    #expect(try rig.pending == 1)
    hanging.withLock { $0 }?.release()
    rig.settle()
    #expect(try rig.pending == 0)
    #expect(try rig.row("geofence", "g")?.status == .synced)
    rig.advance(by: .seconds(3600))
    #expect(rig.server.singles.count == 1)
  }

  @Test("10: what the server took is kept although the store was reset meanwhile")
  func reset() throws {
    let rig = try EngineRig()
    for id in 0..<50 { try rig.queue(.create, "event", "e\(id)") }
    rig.server.set { $0.delay = .seconds(1) }
    rig.start { await $0.requestSync() }
    rig.advance(by: .milliseconds(1500))
    #expect(rig.server.batches.count == 1)
    rig.start { await $0.resetStore() }
    rig.advance(by: .seconds(10))
    #expect(try rig.pending == 0)
    try rig.sync()
    #expect(rig.server.batches.count == 1)
  }

  /// Metrics that are never taken.
  private struct StuckMetrics: MetricStore {
    func record<Value: MetricValue>(_ metric: Metric<Value>, value: Value) async throws {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    func retrieveAll(from: Date, until: Date) async throws -> [MetricEntry] { [] }
    func sync() async throws {}
  }

  @Test("9: a metric store that does not return delays neither a change nor a run")
  func stuckMetrics() async throws {
    let server = ScriptedServer(clock: SimulationClock(start: .distantPast))
    let engine = SyncEngine(
      SyncEnvironment(
        domain: .sample, backend: server, stores: InMemorySyncStoreFactory(domain: .sample),
        preferences: InMemoryPreferences(), metrics: StuckMetrics()))
    try await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "g"))
    guard case .finished(let run) = await engine.requestSync() else { throw SyncError(.other) }
    #expect(run.pushed == 1)
  }

  @Test("10: whoever listens to updates holds neither the engine nor its files")
  func listeners() async throws {
    weak var gone: SyncEngine?
    let stream: AsyncStream<SyncSnapshot>
    do {
      let server = ScriptedServer(clock: SimulationClock(start: .distantPast))
      let engine = SyncEngine(
        SyncEnvironment(
          domain: .sample, backend: server, stores: InMemorySyncStoreFactory(domain: .sample),
          preferences: InMemoryPreferences()))
      stream = await engine.updates()
      gone = engine
    }
    #expect(gone == nil)
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 1)
  }

  @Test("10: cancelling the caller ends its wait and not the run")
  func cancelledCaller() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.delay = .seconds(1) }
    let outcome = Locked<SyncEngine.Outcome?>(nil)
    let engine = rig.engine
    let caller = rig.tasks.start {
      let came = await engine.requestSync()
      outcome.withLock { $0 = came }
    }
    rig.settle()
    rig.advance(by: .milliseconds(500))
    caller.cancel()
    rig.settle()
    #expect(outcome.withLock { $0 } == .waitCancelled)
    rig.advance(by: .seconds(10))
    #expect(try rig.pending == 0)
    #expect(rig.recorded(SyncMetric.run).map(\.status) == [.success])
  }

  @Test("5: a full resync that a call of the engine asks for is queued, and nobody waits for it")
  func insideCall() throws {
    let asked = Locked<SyncEngine.Outcome?>(nil)
    let engine = Locked<SyncEngine?>(nil)
    let rig = try EngineRig { AskingServer(base: $0, engine: engine, asked: asked) }
    engine.withLock { $0 = rig.engine }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(1))
    #expect(asked.withLock { $0 } == .queued)
    #expect(rig.server.fetches > 0)
    engine.withLock { $0 = nil }
  }

  /// A server whose feed asks for a full resync, once.
  private struct AskingServer: SyncBackend {
    let base: ScriptedServer
    let engine: Locked<SyncEngine?>
    let asked: Locked<SyncEngine.Outcome?>

    func probe() async throws { try await base.probe() }
    func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
      try await base.push(batch: batch, of: kind)
    }
    func push(_ item: PushItem) async throws -> RemoteEntity? { try await base.push(item) }
    func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
      if asked.withLock({ $0 }) == nil, let engine = engine.withLock({ $0 }) {
        let outcome = await engine.forceFullResync()
        asked.withLock { $0 = outcome }
      }
      return try await base.changes(since: cursor, limit: limit)
    }
    func latestCursor() async throws -> SyncCursor { try await base.latestCursor() }
    func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
      -> EntityPage
    { try await base.entities(of: kind, ownedBy: owner, page: page, limit: limit) }
  }
}
