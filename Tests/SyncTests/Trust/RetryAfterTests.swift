import Testing

@testable import Sync
@testable import SyncSimulation

/// Retry-After of a 429 holds every run back.
@Suite("Retry-After")
struct RetryAfterTests {
  private static let limit = SyncError(httpStatus: 429, retryAfter: .seconds(20))

  @Test(arguments: [SimulatedCall.probe, .push, .pull])
  func `A 429 with Retry-After holds the app's own requests back, until it is over`(call: SimulatedCall)
    throws
  {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "g")
    rig.server.set {
      switch call {
      case .probe: $0.probes = [Self.limit]
      case .push: $0.pushes = [Self.limit]
      default: $0.pages = [.failure(Self.limit)]
      }
    }
    try rig.sync()
    rig.advance(by: .milliseconds(500))
    guard case .refused = try rig.sync() else { return #expect(Bool(false), "not refused") }
    rig.network.yield(false)
    rig.network.yield(true)
    rig.settle()
    #expect(rig.server.probes == 1)
    rig.advance(by: .seconds(20))
    try rig.sync()
    #expect(try rig.server.probes > 1 && rig.pending == 0)
  }

  @Test func `A person may reset the wait that Retry-After asks for`() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [Self.limit] }
    try rig.sync()
    #expect(try rig.run { await $0.resetBreaker() })
    try rig.sync()
    #expect(rig.server.probes == 2)
  }

  @Test func `A change that is queued during the wait is sent after it`() throws {
    let rig = try EngineRig(configuration: SyncConfiguration())
    rig.server.set { $0.probes = [Self.limit] }
    try rig.sync()
    try rig.queue(.create, "geofence", "g")
    rig.advance(by: .seconds(19))
    #expect(rig.server.probes == 1)
    rig.advance(by: .seconds(2))
    #expect(try rig.server.probes == 2 && rig.pending == 0)
  }

  @Test func `State and failure of a snapshot agree`() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [SyncError(httpStatus: 401), SyncError(httpStatus: 503)] }
    for _ in 0..<2 {
      try rig.sync()
      let snapshot = try rig.run { await $0.snapshot }
      #expect(snapshot.failure.map { SyncState.error(message: $0.text) } == snapshot.state)
    }
    #expect(try rig.run { await $0.lastProbe?.failure?.status } == 503)
  }
}
