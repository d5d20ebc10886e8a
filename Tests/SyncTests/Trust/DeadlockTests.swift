import Foundation
import Platform
import Testing

@testable import Sync
@testable import SyncSimulation

/// Every command from inside of every call to the server and from every observer, each with a server that answers and
/// with one that never does: all end, and so does whatever run there was.
@Suite("No command waits for itself")
struct DeadlockTests {
  /// An app's possible requests to an engine.
  enum Command: CaseIterable, Sendable {
    case requestSync, resetBreaker, clearPending, forceFullResync, skipToLatest, resetStore, queue, requeue,
      discard
    case deadLetters, protectedWrite, cursor, pendingCount, observe, cancelSync, erase, stop

    func run(_ engine: SyncEngine) async {
      switch self {
      case .requestSync: _ = await engine.requestSync()
      case .resetBreaker: await engine.resetBreaker()
      case .clearPending: _ = try? await engine.clearPending()
      case .forceFullResync: await engine.forceFullResync()
      case .skipToLatest: _ = try? await engine.skipToLatestCursor()
      case .resetStore: await engine.resetStore()
      case .queue: _ = try? await engine.queueMutation(.create, of: EntityKey(kind: "geofence", id: "new"))
      case .requeue: _ = try? await engine.requeueDeadLetter("none")
      case .discard: _ = try? await engine.discardDeadLetter("none")
      case .deadLetters: _ = try? await engine.deadLetters()
      case .protectedWrite: _ = try? await engine.protectedWrite { try $0.pendingCount() }
      case .cursor: _ = try? await engine.cursor()
      case .pendingCount: _ = try? await engine.pendingCount()
      case .observe: _ = (await engine.updates(), await engine.notices())
      case .cancelSync: await engine.cancelSync()
      case .erase: try? await engine.erase()
      case .stop: await engine.stop()
      }
    }
  }

  /// Where a command comes from.
  enum Place: CaseIterable, Sendable { case probe, push, batch, pull, latestCursor, list, updates, notices }

  /// The request, its author, and whether it was met.
  private final class Plan: Sendable {
    let command: Command
    let place: Place
    let hangs: Bool
    let engine = Locked<SyncEngine?>(nil)
    let state = Locked((isBegun: false, isDone: false))

    init(_ command: Command, _ place: Place, hangs: Bool) {
      (self.command, self.place, self.hangs) = (command, place, hangs)
    }

    /// Gives the command, once.
    func pass(_ here: Place) async {
      let isFirst = state.withLock { state in
        defer { if here == place { state.isBegun = true } }
        return !state.isBegun
      }
      guard here == place, isFirst, let engine = engine.withLock({ $0 }) else { return }
      await command.run(engine)
      state.withLock { $0.isDone = true }
      // No one ever resumes it; what waits for it is let go.
      if hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  private struct CommandingServer: SyncBackend {
    let base: ScriptedServer
    let plan: Plan

    func probe() async throws {
      await plan.pass(.probe)
      try await base.probe()
    }
    func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
      await plan.pass(.batch)
      return try await base.push(batch: batch, of: kind)
    }
    func push(_ item: PushItem) async throws -> RemoteEntity? {
      await plan.pass(.push)
      return try await base.push(item)
    }
    func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
      await plan.pass(.pull)
      return try await base.changes(since: cursor, limit: limit)
    }
    func latestCursor() async throws -> SyncCursor {
      await plan.pass(.latestCursor)
      return try await base.latestCursor()
    }
    func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
      -> EntityPage
    {
      await plan.pass(.list)
      return try await base.entities(of: kind, ownedBy: owner, page: page, limit: limit)
    }
  }

  @Test(
    "every command from every place ends within the deadlines, and the engine goes on",
    arguments: Command.allCases)
  func hunt(command: Command) throws {
    for place in Place.allCases {
      for hangs in [false, true] {
        let plan = Plan(command, place, hangs: hangs)
        let isBootstrap = place == .latestCursor || place == .list
        let rig = try EngineRig(cursor: isBootstrap ? .start : 1) { CommandingServer(base: $0, plan: plan) }
        plan.engine.withLock { $0 = rig.engine }
        try rig.queue(.create, "geofence", "single")
        try rig.queue(.create, "event", "batched")
        observe(rig, plan)
        rig.start { await $0.requestSync() }
        // The longest there is: the patience of a resync, a call's deadline in the next run, and the run's own.
        rig.advance(by: .seconds(1300))
        let label = "\(command) from \(place)\(hangs ? ", which hangs" : "")"
        #expect(plan.state.withLock { $0.isDone }, "\(label) does not end")
        #expect(try rig.run { await $0.machine.run == nil }, "\(label): the run does not end")
        #expect(isUsable(rig, command), "\(label): the engine is of no use any more")
        plan.engine.withLock { $0 = nil }
      }
    }
  }

  private func observe(_ rig: EngineRig, _ plan: Plan) {
    switch plan.place {
    case .updates: rig.start { for await _ in await $0.updates() { await plan.pass(.updates) } }
    case .notices: rig.start { for await _ in await $0.notices() { await plan.pass(.notices) } }
    default: break
    }
  }

  private func isUsable(_ rig: EngineRig, _ command: Command) -> Bool {
    let outcome = try? rig.run { await $0.requestSync() }
    if command == .stop { return outcome == .refused(reason: SyncError(.stopped).text) }
    guard case .finished = outcome else { return false }
    return true
  }
}
