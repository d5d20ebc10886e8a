import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite("Reading rows")
struct RowStreamTests {
  private let rig: EngineRig

  init() throws { rig = try EngineRig() }

  /// The turns of a reader of rows, as ids, and its end.
  private func follow(
    _ kind: String = "event", where isIncluded: @escaping @Sendable (SyncEntity) -> Bool = { _ in true }
  ) -> Recorder<String> {
    let seen = Recorder<String>()
    rig.start { engine in
      do {
        for try await rows in await engine.rows(of: kind, where: isIncluded) {
          seen.append(rows.map { "\($0.key.id) \($0.status)" }.joined(separator: ", "))
        }
        seen.append("end")
      } catch { seen.append("error") }
    }
    return seen
  }

  @Test func `One row and the rows of a kind are read, and nothing else is touched`() throws {
    try rig.queue(.create, "event", "e2")
    try rig.queue(.create, "event", "e1")
    let saves = rig.stores.counts
    #expect(try rig.run { try await $0.entity(EntityKey(kind: "event", id: "e1")) }?.status == .pending)
    #expect(try rig.run { try await $0.entity(EntityKey(kind: "event", id: "e3")) } == nil)
    #expect(try rig.run { try await $0.entities(of: "event") }.map(\.key.id) == ["e1", "e2"])
    #expect(rig.stores.counts.saves == saves.saves)
    try rig.run { await $0.stop() }
    #expect(throws: SyncError(.stopped)) { try rig.run { try await $0.entities(of: "event") } }
  }

  @Test func `A reader gets the rows of now, and again when they have changed`() throws {
    try rig.seed("event", "e1")
    let seen = follow()
    try rig.queue(.create, "event", "e2")
    try rig.queue(.delete, "event", "e1", [:])
    try rig.sync()
    #expect(
      seen.all == ["e1 synced", "e1 synced, e2 pending", "e2 pending", "e2 synced"])
  }

  @Test func `Rows that do not fit, other kinds and what changes nothing are not told`() throws {
    let seen = follow { $0.members["name"] == "run" }
    try rig.queue(.create, "event", "e1")
    try rig.seed("eventType", "t1")
    _ = try rig.rows("event")
    try rig.queue(.update, "event", "e1", ["name": "run"])
    try rig.queue(.update, "event", "e1", ["name": "walk"])
    #expect(seen.all == ["", "e1 pending", ""])
  }

  @Test func `A reader that is slow gets the newest rows only`() throws {
    let seen = Recorder<Int>()
    let gate = AsyncStream.makeStream(of: Void.self)
    rig.start { engine in
      for try await rows in await engine.rows(of: "event") {
        seen.append(rows.count)
        for await _ in gate.stream { break }
      }
    }
    for number in 1...20 { try rig.queue(.create, "event", "e\(number)") }
    #expect(seen.all == [0])
    gate.continuation.yield()
    rig.settle()
    #expect(seen.all == [0, 20])
    gate.continuation.yield()
    rig.settle()
    #expect(seen.all == [0, 20])
  }

  @Test func `It ends when the engine is erased, and another one begins again`() throws {
    try rig.queue(.create, "event", "e1")
    let seen = follow()
    try rig.run { try await $0.erase() }
    rig.settle()
    #expect(seen.all == ["e1 pending", "end"])
    let after = follow()
    try rig.queue(.create, "event", "e2")
    rig.settle()
    #expect(after.all == ["", "e2 pending"])
  }

  @Test func `It ends when the engine is stopped, and at once if it was`() throws {
    let seen = follow()
    try rig.run { await $0.stop() }
    rig.settle()
    #expect(seen.all == ["", "end"] && follow().all == ["end"])
  }

  @Test func `A reader that goes is forgotten`() throws {
    let engine = rig.engine
    let task = rig.tasks.start { do { for try await _ in await engine.rows(of: "event") {} } catch {} }
    rig.settle()
    #expect(try rig.run { await $0.rowObservers.values.contains { !$0.isEmpty } })
    task.cancel()
    rig.settle()
    #expect(try rig.run { await $0.rowObservers.values.allSatisfy(\.isEmpty) })
  }
}
