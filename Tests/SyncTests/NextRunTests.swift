import MisterMetricsCore
import Testing

@testable import Sync
@testable import SyncSimulation

/// The next run as an engine tells it, compared with that run.
@Suite("The next run")
struct NextRunTests {
  private static func limit(_ seconds: Int) -> SyncError {
    SyncError(httpStatus: 429, retryAfter: .seconds(seconds))
  }

  /// The begin of the next run, unless the app asks for one.
  private func begun(in rig: EngineRig) throws -> Duration? {
    let count = rig.recorded(SyncMetric.transition).count
    for _ in 0..<20 {
      guard rig.step() else { break }
      rig.settle()
      let new = rig.recorded(SyncMetric.transition).dropFirst(count)
      if let run = new.first(where: { $0.event == "syncRequested" && !$0.refused }) {
        return .seconds(run.engineTime)
      }
    }
    return nil
  }

  @Test func `A Retry-After beyond the longest backoff is waited for, and said`() throws {
    let rig = try EngineRig()
    for name in ["a", "b", "c"] { try rig.queue(.create, "geofence", name) }
    rig.server.set { $0.pushes = Array(repeating: Self.limit(600), count: 3) }
    try rig.sync()
    let told = try rig.run { await $0.nextRun.at }
    #expect(try told == .seconds(600) && begun(in: rig) == told)
  }

  @Test func `A change that is queued during a Retry-After has a next try`() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    rig.server.set { $0.probes = [Self.limit(20)] }
    try rig.sync()
    try rig.queue(.create, "geofence", "g")
    let told = try rig.run { await $0.nextRun.at }
    #expect(try told == .seconds(20) && begun(in: rig) == told)
  }

  @Test func `A reset of the breaker begins the run whose timer found it open`() throws {
    let rig = try EngineRig()
    for name in ["a", "b", "c"] { try rig.queue(.create, "geofence", name) }
    rig.server.set { $0.pushes = Array(repeating: Self.limit(0), count: 3) }
    try rig.sync()
    rig.advance(by: .seconds(25))
    #expect(try rig.run { await $0.resetBreaker() })
    #expect(rig.recorded(SyncMetric.transition).last { $0.event == "breakerReset" }?.nextCause != "app")
    rig.advance(by: .seconds(1))
    #expect(try rig.pending == 0)
  }

  @Test func `A reset of the breaker begins the run for what was queued while it was open`() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    rig.server.set { $0.probes = Array(repeating: Self.limit(0), count: 3) }
    for _ in 0..<3 { try rig.sync() }
    try rig.queue(.create, "geofence", "g")
    rig.advance(by: .seconds(5))
    #expect(try rig.pending == 1)
    #expect(try rig.run { await $0.resetBreaker() })
    rig.advance(by: .seconds(1))
    #expect(try rig.pending == 0)
  }

  @Test func `The wait that a gateway asks for is told as the server's`() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set { $0.pushes = [SyncError(httpStatus: 503, retryAfter: .seconds(20))] }
    try rig.sync()
    #expect(try rig.run { await $0.nextRun.cause } == .retryAfter)
    #expect(try begun(in: rig) == .seconds(20))
  }
}
