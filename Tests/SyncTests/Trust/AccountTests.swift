import Foundation
import MisterMetricsCore
import Platform
import Testing

@testable import Sync
@testable import SyncSimulation

/// Nothing of one account reaches the next one.
@Suite("Accounts")
struct AccountTests {
  private let key = EntityKey(kind: "geofence", id: "g")
  private let secret = RemoteEntity(id: "g", members: ["name": "secret of A"], version: "5")

  /// An engine after an erase during a push, whose answer is due in five seconds.
  private func erased() throws -> EngineRig {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "old of A"])
    try rig.queue(.update, "geofence", "g", ["name": "secret of A"])
    rig.server.set {
      $0.delay = .seconds(10)
      $0.answers = [self.secret]
    }
    rig.start { await $0.requestSync() }
    rig.advance(by: .seconds(15))
    rig.start { try await $0.erase() }
    return rig
  }

  @Test func `A late answer of the account before enters no change of the next one`() throws {
    let rig = try erased()
    try rig.seed("geofence", "g", ["name": "of B"])
    try rig.queue(.delete, "geofence", "g", [:])
    let before = try rig.mutations("geofence", "g")
    rig.advance(by: .seconds(6))
    #expect(try rig.mutations("geofence", "g") == before)
    #expect(!rig.recorded(SyncMetric.mutation).map(\.state).contains(.acknowledged))
  }

  @Test func `A late answer of the account before frees no entity of the next one`() throws {
    let rig = try erased()
    try rig.queue(.create, "geofence", "g", ["name": "of B"])
    rig.server.set { $0.delay = .seconds(2) }
    rig.start { await $0.requestSync() }
    rig.server.set { $0.delay = .seconds(50) }
    rig.advance(by: .seconds(6))
    #expect(rig.server.singles.count == 2)
    #expect(try rig.run { await Array($0.sending.keys) } == [key])
  }

  @Test func `Of what is queued beside an erase all that is acknowledged is there afterwards`() throws {
    for beside in 0..<4 {
      let disk = try HeldDisk()
      var works = (0..<5).map { disk.queue("before\($0)") }
      if beside > 0 { for _ in 0..<3 { disk.release() } }
      let erase = disk.start { try await $0.erase() }
      works += (0..<5).map { disk.queue("beside\($0)") }
      if beside > 1 { disk.release() }
      works += (0..<5).map { disk.queue("later\($0)") }
      for _ in 0..<10 { disk.release() }
      #expect(erase.isDone && erase.error == nil)
      let late = (0..<5).map { disk.queue("after\($0)") }
      for _ in 0..<10 { disk.release() }
      let stored = Locked<Set<String>>([])
      disk.start { engine in
        let ids = try await engine.protectedWrite { Set(try $0.entities(of: "event").map(\.key.id)) }
        stored.withLock { $0 = ids }
      }
      for _ in 0..<10 { disk.release() }
      let acknowledged = works.count(where: \.isAcknowledged) - (beside > 0 ? 5 : 0)
      #expect(late.map(\.isAcknowledged) == Array(repeating: true, count: 5))
      #expect(stored.withLock { $0.count } == acknowledged + 5, "\(beside)")
      #expect(works.map(\.isDone) == Array(repeating: true, count: works.count))
    }
  }

  @Test func `What is queued while an erase waits for the end of a run is refused`() throws {
    let rig = try EngineRig()
    try rig.queue(.create, "geofence", "old")
    rig.server.set { $0.delay = .seconds(10) }
    rig.start { await $0.requestSync() }
    let errors = Locked<[SyncError.Code?]>([])
    let isErased = Locked(false)
    for number in 0..<40 {
      _ = rig.tasks.start { [engine = rig.engine] in
        do {
          if number == 20 {
            try await engine.erase()
            return isErased.withLock { $0 = true }
          }
          _ = try await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "\(number)"))
          errors.withLock { $0.append(nil) }
        } catch { errors.withLock { $0.append((error as? SyncError)?.code) } }
      }
    }
    rig.settle()
    let acknowledged = errors.withLock { $0.count { $0 == nil } }
    #expect(isErased.withLock { $0 } && errors.withLock { $0 }.contains(.erased))
    #expect(try rig.pending == 0 && acknowledged <= 20)
    try rig.queue(.create, "geofence", "new")
    #expect(try rig.pending == 1 && rig.run { try await $0.cursor() }.isStart)
  }

  @Test func `A record names the end of each queued change, also by an erase`() throws {
    let rig = try EngineRig()
    for id in ["a", "b"] { try rig.queue(.create, "geofence", id) }
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 9) }
    for _ in 0..<5 {
      try rig.sync()
      rig.advance(by: .seconds(4000))
    }
    try rig.queue(.create, "geofence", "c")
    try rig.run { try await $0.erase() }
    var last: [String: SyncMutation.State] = [:]
    for change in rig.recorded(SyncMetric.mutation) { last[change.entity] = change.state }
    #expect(last.count == 3)
    #expect(last.values.filter { [.queued, .sent, .dead].contains($0) } == [])
  }

  @Test func `A record names the end of a dead letter that newer edits supersede`() throws {
    let rig = try EngineRig()
    try rig.seed("geofence", "g", ["name": "old"])
    rig.server.set { $0.pushes = Array(repeating: SyncError(httpStatus: 422), count: 5) }
    try rig.queue(.update, "geofence", "g", ["name": "first"])
    for _ in 0..<5 {
      try rig.sync()
      rig.advance(by: .seconds(4000))
    }
    let letter = try #require(try rig.run { try await $0.deadLetters() }.first)
    try rig.queue(.update, "geofence", "g", ["name": "second"])
    #expect(try rig.run { try await $0.requeueDeadLetter(letter.id) })
    let states = rig.recorded(SyncMetric.mutation).filter { $0.id == letter.id }.map(\.state)
    #expect(try rig.run { try await $0.deadLetters() }.isEmpty && states.last != .dead)
  }
}
