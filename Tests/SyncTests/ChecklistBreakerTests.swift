import Foundation
import Testing

@testable import Sync

private let limited = SyncError(.rateLimited, status: 429)

extension EngineRig {
  /// Queues single changes and lets the server answer each with 429 until the breaker trips.
  fileprivate func trip(_ round: Int = 0) throws {
    for number in 0..<3 { try queue(.create, "geofence", "g\(round)-\(number)") }
    server.set { $0.pushes = [limited, limited, limited] }
    try sync()
    server.set { $0.pushes = [] }
  }
}

@Suite("Checklist C.1: breaker")
struct ChecklistBreakerTests {
  @Test("A-1: three 429 answers in a row trip the breaker without another call")
  func trips() throws {
    let rig = try EngineRig()
    try rig.trip()
    #expect(try rig.run { await $0.isBreakerOpen })
    #expect(try rig.state == .rateLimited(retryAfter: .seconds(30), pending: 3))
    #expect(rig.server.probes == 1)
  }

  @Test("A-2: the first trip lasts about 30 s")
  func firstTrip() throws {
    let rig = try EngineRig()
    try rig.trip()
    let remaining = try rig.remaining
    #expect(remaining > .seconds(25) && remaining <= .seconds(35))
  }

  @Test("A-3: after a manual reset the breaker is closed with 0 s remaining")
  func reset() throws {
    let rig = try EngineRig()
    try rig.trip()
    #expect(try rig.run { await $0.resetBreaker() })
    #expect(try !rig.run { await $0.isBreakerOpen })
    #expect(try rig.remaining == .zero)
    #expect(try rig.state == .idle)
  }

  @Test("A-4: while tripped a sync sends no request at all")
  func refusesWhileOpen() throws {
    let rig = try EngineRig()
    try rig.trip()
    let before = rig.server.calls.count
    let outcome = try rig.sync()
    #expect(rig.server.calls.count == before)
    #expect(outcome == .refused(reason: "the breaker is open for another 30.0 s"))
  }

  @Test("A-5: after a manual reset the next sync pushes again")
  func pushesAfterReset() throws {
    let rig = try EngineRig()
    try rig.trip()
    try rig.run { await $0.resetBreaker() }
    try rig.sync()
    #expect(rig.server.singles.count == 6)
    #expect(try rig.pending == 0)
  }

  @Test("A-6: trips separated by manual resets last 30, 60, 120, 240, 300 and again 300 s")
  func ladder() throws {
    let rig = try EngineRig()
    var waits: [Duration] = []
    for round in 0..<6 {
      try rig.trip(round)
      waits.append(try rig.remaining)
      try rig.run { await $0.resetBreaker() }
      try rig.run { _ = try await $0.clearPendingKeepingGrowth() }
    }
    #expect(waits == [30, 60, 120, 240, 300, 300].map { .seconds($0) })
  }

  @Test("A-11: three runs with one queued create, each answered 429, trip the breaker")
  func tripsOverRuns() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "event", "e1")
    for run in 1...3 {
      rig.server.set { $0.pushes = [limited] }
      try rig.sync()
      #expect(try rig.run { await $0.isBreakerOpen } == (run == 3))
    }
    #expect(rig.count(of: "RateLimitHit") == 3)
    #expect(rig.count(of: "CircuitBreakerTrip") == 1)
  }

  @Test("A-63: after the backoff exactly one probing run is made; its success closes the breaker")
  func recovers() throws {
    let rig = try EngineRig()
    try rig.trip()
    let before = rig.server.probes
    rig.advance(by: .seconds(29))
    #expect(rig.server.probes == before)
    rig.advance(by: .seconds(600))
    #expect(rig.server.probes == before + 1)
    #expect(try rig.state == .idle)
    #expect(try rig.pending == 0)
    try rig.trip(1)
    #expect(try rig.remaining == .seconds(30))
  }

  @Test("A-63: a probing run with nothing to push clears the ladder as well")
  func recoversWithAnEmptyQueue() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [limited, limited, limited] }
    for _ in 0..<3 { try rig.sync() }
    #expect(try rig.remaining == .seconds(30))
    rig.advance(by: .seconds(31))
    #expect(try rig.state == .idle)
    rig.server.set { $0.probes = [limited, limited, limited] }
    for _ in 0..<3 { try rig.sync() }
    #expect(try rig.remaining == .seconds(30))
  }

  @Test("A-64: rateLimited stays visible until expiry; no pull follows in the same run")
  func staysVisible() throws {
    let rig = try EngineRig()
    try rig.trip()
    #expect(rig.server.cursors.isEmpty && rig.server.fetches == 0)
    let states = rig.recorded(SyncMetric.transition).map(\.to)
    #expect(states.last == "rateLimited" && !states.contains("pulling"))
    rig.advance(by: .seconds(29))
    #expect(try rig.state.kind == .rateLimited)
  }

  @Test("A-65: a 429 never raises a mutation's attempts")
  func countsNoAttempt() throws {
    let rig = try EngineRig()
    try rig.trip()
    for number in 0..<3 {
      #expect(try rig.mutations("geofence", "g0-\(number)").map(\.attempts) == [0])
    }
  }

  @Test("A-66: a 429 of the probe or of the change feed counts toward the threshold")
  func countsEverywhere() throws {
    let rig = try EngineRig()
    rig.server.set { $0.probes = [limited] }
    try rig.sync()
    rig.server.set { $0.pages = [.failure(limited)] }
    try rig.sync()
    #expect(try rig.state.kind == .error)
    rig.server.set { $0.probes = [limited] }
    try rig.sync()
    #expect(try rig.state == .rateLimited(retryAfter: .seconds(30), pending: 0))
  }

  @Test("half-open: one more 429 trips at once, twice as long, and Retry-After only lengthens")
  func halfOpen() throws {
    let rig = try EngineRig()
    try rig.trip()
    rig.server.set { $0.pushes = [limited] }
    rig.advance(by: .seconds(31))
    #expect(try rig.state == .rateLimited(retryAfter: .seconds(60), pending: 3))
    rig.server.set { $0.pushes = [SyncError(.rateLimited, status: 429, retryAfter: .seconds(1000))] }
    rig.advance(by: .seconds(61))
    #expect(try rig.state == .rateLimited(retryAfter: .seconds(300), pending: 3))
  }
}

extension SyncEngine {
  /// Empties the queue behind the machine's back, for a ladder that only resets separate.
  func clearPendingKeepingGrowth() throws {
    try withStore { store in
      _ = try store.removeAllMutations()
      try store.save()
    }
    try refreshPending()
  }
}
