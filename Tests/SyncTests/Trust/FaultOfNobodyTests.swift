import Foundation
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Whose fault a failed push is (docs/sync-engine.md, "Whose fault it is"); the numbers are those of what outsiders saw.
@Suite("Pushes that fail and no change is to blame")
struct FaultOfNobodyTests {
  @Test(
    "1: only what the server answered can report a duplicate",
    arguments: [
      SyncError(.noConnection, detail: "duplicate key value violates unique constraint"),
      SyncError(.timeout, detail: "already exists"),
      SyncError(.http, status: 400, detail: "allowDuplicates must be true or false"),
      SyncError(.http, status: 422, detail: "the name already exists in our list of bad words"),
      SyncError(
        .other, detail: "The file “x” couldn’t be saved because a file with that name already exists."),
    ])
  func noDuplicate(error: SyncError) throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [error] }
    try rig.sync()
    #expect(try rig.pending == 1)
    #expect(try rig.row("geofence", "g")?.status == .pending)
    #expect(rig.recorded(SyncMetric.run).last?.pushed == 0)
  }

  @Test("1: a duplicate of a create that was sent before keeps its row, which is synced now")
  func ownDuplicate() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [SyncError(.timeout), SyncError(.duplicate, status: 409)] }
    try rig.sync()
    try rig.sync()
    #expect(try rig.pending == 0)
    #expect(try rig.row("geofence", "g")?.status == .synced)
  }

  @Test(
    "6: an outage in the push phase ends the phase, costs no attempt and leaves the pull out",
    arguments: [
      SyncError(.noConnection), SyncError(.timeout), SyncError(httpStatus: 401), SyncError(httpStatus: 403),
      SyncError(httpStatus: 503), SyncError(.cancelled),
    ])
  func outage(error: SyncError) throws {
    let rig = try EngineRig()
    for id in 0..<20 { try rig.queue(.update, "geofence", "g\(id)") }
    rig.server.set { $0.pushes = [nil] + Array(repeating: error, count: 100) }
    for run in 1...5 {
      try rig.sync()
      #expect(rig.server.singles.count == 1 + run)
    }
    #expect(try rig.pending == 19 && rig.run { try await $0.deadLetters() } == [])
    #expect(try (0..<20).flatMap { try rig.mutations("geofence", "g\($0)") }.allSatisfy { $0.attempts == 0 })
    #expect(rig.server.cursors == [])
    #expect(try rig.state == .error(message: error.text))
    #expect(rig.recorded(SyncMetric.run).map(\.status) == [.partial, .failed, .failed, .failed, .failed])
  }

  @Test("2 of A.10: the engine tries again by itself, after 1 s doubling to 60 s, give or take a fifth")
  func floor() throws {
    let rig = try EngineRig()
    try rig.queue(.update, "geofence", "g")
    rig.server.set { $0.pushes = Array(repeating: SyncError(.noConnection), count: 9) }
    try rig.sync()
    rig.advance(by: .seconds(400))
    let times = rig.recorded(SyncMetric.transition).filter { $0.event == "pushInterrupted" }.map(\.engineTime)
    #expect(times.count == 9)
    for (expected, (start, end)) in zip([1.0, 2, 4, 8, 16, 32, 60, 60], zip(times, times.dropFirst())) {
      #expect((expected * 0.8...min(60, expected * 1.2)).contains(end - start), "\(expected): \(end - start)")
    }
    #expect(try rig.pending == 0 && rig.state == .idle)
    let triggers = rig.recorded(SyncMetric.run).map(\.trigger)
    #expect(triggers.first == "app" && Set(triggers.dropFirst()) == ["retry"])
  }

  @Test("2 of A.10: the network's return, and the app, do not wait for the next try")
  func reachability() throws {
    let rig = try EngineRig()
    try rig.queue(.update, "geofence", "g")
    rig.server.set { $0.pushes = Array(repeating: SyncError(.noConnection), count: 7) }
    for _ in 0..<6 { try rig.run { await $0.ask(.retry) } }
    rig.network.yield(false)
    rig.settle()
    rig.advance(by: .seconds(600))
    #expect(rig.server.singles.count == 6)
    rig.network.yield(true)
    rig.settle()
    #expect(rig.server.singles.count == 7)
    try rig.sync()
    #expect(rig.server.singles.count == 8)
    #expect(try rig.pending == 0)
  }

  @Test("3 of A.10: attempts are spread over time, and a change that is not due is left out")
  func spread() throws {
    let rig = try EngineRig()
    try rig.queue(.update, "geofence", "bad")
    rig.server.set { $0.pushes = [SyncError(httpStatus: 500)] }
    for _ in 0..<5 { try rig.sync() }
    try rig.queue(.update, "geofence", "good")
    try rig.sync()
    #expect(rig.server.singles.map(\.entity.id) == ["bad", "good"])
    #expect(try rig.mutations("geofence", "bad").map(\.attempts) == [1])
    rig.advance(by: .seconds(30))
    #expect(rig.server.singles.map(\.entity.id) == ["bad", "good", "bad"])
    #expect(try rig.pending == 0)
  }

  @Test("11: of an error page at most 2 KiB are kept, however many changes it refuses")
  func errorPage() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync.log")
    let rig = try EngineRig(stores: CountingStoreFactory(FileSyncStoreFactory(file: file, domain: .sample)))
    for id in 0..<20 { try rig.queue(.create, "geofence", "g\(id)") }
    let page = String(repeating: "<p>an error page</p>", count: 560)
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422, detail: page), count: 20) }
    try rig.sync()
    #expect(try rig.mutations("geofence", "g0").first?.lastError?.utf8.count ?? 0 <= 2048 + 64)
    let log = URL(fileURLWithPath: file.path + "-wal")
    #expect(try Data(contentsOf: log).range(of: Data(page.prefix(2200).utf8)) == nil)
  }

  @Test("6: what depends on a create that was refused waits for it, and dies with nobody")
  func waitsForParent() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "eventType", "t")
    try rig.queue(.create, "event", "e", ["eventTypeId": "t"])
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 5) }
    try rig.sync()
    for wait in [30, 60, 120, 240, 3600] { rig.advance(by: .seconds(wait)) }
    #expect(rig.server.batches == [])
    #expect(try rig.mutations("event", "e").map(\.attempts) == [0])
    let dead = try rig.run { try await $0.deadLetters() }
    #expect(dead.map(\.entity.id) == ["t"])
    // Once its parent is in order it goes, in the same run.
    try rig.run { _ = try await $0.requeueDeadLetter(dead[0].id) }
    try rig.sync()
    #expect(rig.server.batches.map { $0.map(\.entity.id) } == [["e"]])
    #expect(try rig.pending == 0)
  }

  @Test(
    "8: a session that is no longer accepted is told, and left by the next probe that succeeds",
    arguments: [(401, "session expired (HTTP 401)"), (403, "access denied (HTTP 403)")])
  func session(status: Int, text: String) throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [SyncError(httpStatus: status)] }
    let outcome = try rig.sync()
    guard case .finished(let run) = outcome else { throw SyncError(.other) }
    #expect(run.status == .failed && run.failure?.status == status)
    #expect(try rig.state == .error(message: text))
    #expect(try rig.run { await $0.history.map(\.run.error) } == [text])
    #expect(try rig.run { await $0.snapshot.failure?.isSessionLost } == true)
    try rig.sync()
    #expect(try rig.state == .idle)
    #expect(try rig.run { await $0.snapshot.failure } == nil)
  }

  @Test("4 of A.10: other failures of the probe keep the state, but can be seen")
  func probes() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [SyncError(httpStatus: 502), SyncError(.timeout)] }
    try rig.sync()
    try rig.sync()
    let probe = try rig.run { await $0.lastProbe }
    #expect(probe?.consecutiveFailures == 2 && probe?.failure?.code == .timeout)
    #expect(try rig.state == .idle && rig.run { await $0.history } == [])
    try rig.sync()
    #expect(try rig.run { await $0.lastProbe?.consecutiveFailures } == 0)
  }
}
