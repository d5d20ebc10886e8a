import Foundation
import MisterMetricsCore
import TelemetryCore
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("What a sync engine records")
struct SyncRecordTests {
  /// The members of a recorded JSON object.
  private func members(_ entry: MetricEntry) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: entry.value)
    return Set((object as? [String: Any] ?? [:]).keys)
  }

  private func eventfulRig() throws -> EngineRig {
    let rig = try EngineRig()
    for number in 0..<3 { try rig.queue(.create, "geofence", "g\(number)") }
    rig.server.set { $0.pushes = Array(repeating: SyncError(.rateLimited, status: 429), count: 3) }
    try rig.sync()
    try rig.sync()
    rig.advance(by: .seconds(60))
    rig.server.set { $0.pages = [.failure(SyncError(.server, status: 500, detail: "down"))] }
    try rig.sync()
    return rig
  }

  @Test(
    "every entry has the fields of its table, and no other",
    arguments: [
      (
        "transition", "SyncTransition",
        "sequence from to event refused engineTime pending byHand branch rule origin online nextCause",
        "reason synced total retryAfter message run phase trigger failure httpStatus nextTrigger nextTry floor wake"
      ),
      (
        "mutation", "SyncMutation", "id kind operation entity bytes attempts state createdAt branch",
        "lastError notBefore waitsFor nextTrigger nextTry nextCause"
      ),
      (
        "breaker", "SyncBreaker", "state consecutive threshold multiplier refusedCalls byHand branch", "until"
      ),
      (
        "run", "SyncRun", "sequence status pushed pulled failed durationMs bootstrap cursor branch trigger",
        "error failure httpStatus"
      ),
    ])
  func fields(name: String, type: String, always: String, sometimes: String) throws {
    let entries = try eventfulRig().entries.filter {
      $0.metric.bucket == SyncMetric.bucket && $0.metric.name == name
    }
    #expect(!entries.isEmpty)
    let always = Set(always.split(separator: " ").map(String.init))
    let sometimes = Set(sometimes.split(separator: " ").map(String.init))
    var met: Set<String> = []
    for entry in entries {
      let members = try members(entry)
      met.formUnion(members)
      #expect(members.isSuperset(of: always))
      #expect(members.subtracting(always).isSubset(of: sometimes))
      #expect(entry.metric.valueTypeString == type)
    }
    // Waits for a call without an answer, or for another entity, are met elsewhere.
    #expect(met.isSuperset(of: sometimes.subtracting(["floor"])) || name == "mutation")
  }

  @Test("signposts have a category, their names and durations on the engine's clock")
  func signposts() throws {
    let rig = try EngineRig()
    rig.server.set { $0.delay = .milliseconds(250) }
    try rig.sync()
    let intervals = try rig.entries.filter { $0.metric.bucket == Bucket("SyncEngine") }.compactMap { entry in
      try entry.metric.valueTypeString == "SignpostInterval"
        ? "\(entry.metric.name) \(entry.decode(SignpostInterval.self).durationMs)" : nil
    }
    #expect(
      intervals == ["HealthCheck 250.0", "FlushMutations 0.0", "PullChanges 250.0", "FullSync 500.0"])
    #expect(rig.count(of: "SyncSuccess") == 1)
  }

  @Test("entries are stamped with the start and the engine's time, in the order in which things happened")
  func stamps() throws {
    let rig = try eventfulRig()
    let times = rig.entries.map(\.timestamp)
    #expect(times == times.sorted())
    #expect(times.first == Date(timeIntervalSinceReferenceDate: 800_000_000))
    let sequences = rig.recorded(SyncMetric.transition).map(\.sequence)
    #expect(sequences == Array(1...sequences.count))
  }

  @Test("a run that is refused is recorded with its reason, and nothing else of it")
  func refused() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = Array(repeating: SyncError(.rateLimited, status: 429), count: 3) }
    for _ in 0..<3 { try rig.sync() }
    let before = rig.entries.count
    try rig.sync()
    let names = rig.entries.dropFirst(before).map(\.metric.name)
    #expect(names == ["transition", "breaker"])
    let last = rig.recorded(SyncMetric.transition).last
    #expect(last?.refused == true && last?.reason == "the breaker is open for another 30.0 s")
    #expect(rig.recorded(SyncMetric.breaker).last?.refusedCalls == 1)
  }

  @Test("the constants survive a round trip, and numbers that make no sense are refused")
  func configuration() throws {
    var configuration = SyncConfiguration()
    configuration.batchSize = 7
    configuration.resyncWait = .milliseconds(1500)
    let json = try JSONEncoder().encode(configuration)
    #expect(try JSONDecoder().decode(SyncConfiguration.self, from: json) == configuration)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SyncConfiguration.self, from: Data(#"{"batchSize":0}"#.utf8))
    }
    #expect(try JSONDecoder().decode(SyncConfiguration.self, from: Data("{}".utf8)) == SyncConfiguration())
  }

  @Test("in a live engine the record is in the store once that is waited for, in order")
  func live() async throws {
    let store = MetricMemoryStore()
    let server = ScriptedServer(clock: SimulationClock(start: Date()))
    let engine = SyncEngine(
      SyncEnvironment(
        domain: .sample, backend: server, stores: InMemorySyncStoreFactory(domain: .sample),
        preferences: InMemoryPreferences(),
        metrics: store))
    try await engine.queueMutation(
      .create, of: EntityKey(kind: "geofence", id: "g"), members: ["name": "home"])
    await engine.requestSync()
    await engine.recordsWritten()
    let entries = try await store.retrieveAll(from: .distantPast, until: .distantFuture)
    let transitions = try entries.filter { $0.metric == AnyMetric(SyncMetric.transition) }
      .map { try $0.decode(SyncTransition.self) }
    #expect(transitions.map(\.sequence) == Array(1...transitions.count))
    #expect(transitions.last?.to == "idle")
  }

  @Test("what is being done is in the store while the server is waited for")
  func liveWhileWaiting() async throws {
    let work = try #require(SimulationTasks.make())
    let clock = SimulationClock(start: Date(timeIntervalSinceReferenceDate: 800_000_000))
    let store = MetricMemoryStore()
    let server = ScriptedServer(clock: clock)
    server.set { $0.delay = .seconds(10) }
    var environment = SyncEnvironment(
      domain: .sample, backend: server, stores: InMemorySyncStoreFactory(domain: .sample),
      preferences: InMemoryPreferences(),
      metrics: store)
    environment.clock = clock
    environment.tasks = work.tasks
    let engine = SyncEngine(environment)
    _ = work.tasks.start {
      _ = try? await engine.queueMutation(
        .create, of: EntityKey(kind: "geofence", id: "g"), members: ["name": "x"])
      await engine.requestSync()
      await engine.recordsWritten()
    }
    /// The names of the states that the last transition led to, and of the mutation's last state.
    func told() async throws -> [String] {
      work.drain()
      let entries = try await store.retrieveAll(from: .distantPast, until: .distantFuture)
      let transition = try entries.last { $0.metric == AnyMetric(SyncMetric.transition) }?.decode(
        SyncTransition.self)
      let mutation = try entries.last { $0.metric == AnyMetric(SyncMetric.mutation) }?.decode(
        SyncMutation.self)
      return [transition?.event, transition?.to, mutation?.state.rawValue].compactMap { $0 }
    }
    #expect(try await told() == ["syncRequested", "idle", "queued"])
    _ = clock.wakeNext()
    #expect(try await told() == ["probeSucceeded", "syncing", "sent"])
    _ = clock.wakeNext()
    #expect(try await told() == ["pushFinished", "pulling", "acknowledged"])
    while clock.wakeNext() { work.drain() }
    #expect(try await told() == ["bootstrapApplied", "idle", "acknowledged"])
  }
}
