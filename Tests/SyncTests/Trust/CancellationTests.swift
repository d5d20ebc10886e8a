import Resilience
import Testing

@testable import Sync
@testable import SyncSimulation

/// A call that has ended by itself has ended, whatever happens to its run.
@Suite("Cancellation beside an answer")
struct CancellationTests {
  @Test(arguments: [422, 500, 429, 503, nil])
  func `A call that fails by itself while its run is cancelled frees its entity, and its answer counts`(
    status: Int?
  ) throws {
    let (rig, server) = try EngineRig.wrapped()
    let error = status.map { SyncError(httpStatus: $0) } ?? SyncError(.noConnection)
    rig.server.set { $0.pushes = [error] }
    try rig.queue(.create, "geofence", "g")
    server.set { $0.onPush = { [rig] in _ = rig.tasks.start { await rig.engine.cancelSync() } } }
    try rig.sync()
    server.set { $0.onPush = nil }
    rig.settle()
    let (sending, run) = try rig.run { (await $0.sending, await $0.machine.run) }
    #expect(sending.isEmpty && run == nil)
    let isCounted = status == 422 || status == 500
    #expect(try rig.mutations("geofence", "g").map(\.attempts) == [isCounted ? 1 : 0])
    #expect(try rig.run { await $0.machine.breaker.consecutiveFailures } == (status == 429 ? 1 : 0))
    rig.advance(by: .seconds(100))
    try rig.sync()
    #expect(try rig.pending == 0 && rig.row("geofence", "g")?.status == .synced)
  }
}
