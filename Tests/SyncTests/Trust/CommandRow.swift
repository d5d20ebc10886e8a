import Platform
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// S5: every command at every suspension of a run.
extension FaultMatrix {
  private enum Command: CaseIterable {
    case cancel, stop, erase, reset, resync

    /// True if the command keeps the changes that wait.
    var keepsChanges: Bool { self != .erase && self != .reset }
  }

  private static let entities = [("event", "a"), ("event", "b"), ("geofence", "g"), ("geofence", "h")]

  /// The answers to the first pushes.
  private static let scripts: [[SyncError?]] = [
    [], [SyncError(httpStatus: 422), SyncError(httpStatus: 500)], [SyncError(.timeout)],
    [SyncError(httpStatus: 429, retryAfter: .seconds(5)), nil], [SyncError(httpStatus: 401)],
    [SyncError(.cancelled)],
  ]

  @Test func `S5: no command leaves an entity marked as being sent, and every change is sent in the end`()
    async throws
  {
    let result = try await MatrixRun.result(of: "S5") { run in
      for command in Command.allCases {
        for script in Self.scripts {
          for delay in [Duration.zero, .seconds(1)] {
            try Self.playEverywhere(command, script, delay: delay, in: &run)
          }
        }
      }
    }
    #expect(result == .green)
  }

  @Test func `S5 is red without a queue that keeps what is being sent`() async throws {
    let result = try await MatrixRun.result(of: "S5", without: "a queue that keeps what is being sent") {
      run in
      try Self.playEverywhere(
        .cancel, [SyncError(.timeout)], delay: .seconds(1), forgets: true, in: &run)
    }
    #expect(result == .red)
  }

  private static func playEverywhere(
    _ command: Command, _ script: [SyncError?], delay: Duration, forgets: Bool = false,
    in run: inout MatrixRun
  ) throws {
    var (count, isOver) = (0, false)
    while !isOver {
      let rig = try rig(script, delay: delay, forgets: forgets)
      isOver = try play(command, after: count, on: rig)
      let (sending, open) = try rig.run { (await $0.sending, await $0.machine.run) }
      run.tally.bad += sending.isEmpty && open == nil ? 0 : 1
      if command != .stop { try tally(rig, command, into: &run.tally) }
      run.add(rounds: 1)
      count += 1
    }
    run.tally.bad += count > 10 ? 0 : 1
  }

  private static func rig(_ script: [SyncError?], delay: Duration, forgets: Bool) throws -> EngineRig {
    let base = InMemorySyncStoreFactory(domain: .sample)
    let rig = try EngineRig(
      stores: CountingStoreFactory(forgets ? ForgettingStore.Factory(base: base) : base))
    for (kind, id) in entities { try rig.queue(.create, kind, id) }
    rig.server.set {
      $0.pushes = script
      $0.delay = delay
      for (kind, id) in Self.entities {
        $0.entities[kind, default: []].append(RemoteEntity(id: id, members: ["name": "walk"]))
      }
    }
    return rig
  }

  /// A run that meets a command after a number of steps.
  ///
  /// - Returns: Whether the run had ended before.
  private static func play(_ command: Command, after count: Int, on rig: EngineRig) throws -> Bool {
    let isOver = Locked(false)
    _ = rig.tasks.start { [engine = rig.engine] in
      _ = await engine.requestSync()
      isOver.withLock { $0 = true }
    }
    for _ in 0..<count where rig.step() {}
    let wasOver = isOver.withLock { $0 }
    rig.start { engine in
      switch command {
      case .cancel: _ = await engine.cancelSync()
      case .stop: await engine.stop()
      case .erase: try await engine.erase()
      case .reset: await engine.resetStore()
      case .resync: _ = await engine.forceFullResync()
      }
    }
    rig.advance(by: .seconds(700))
    return wasOver
  }

  /// Lets everything be sent that waits.
  private static func tally(
    _ rig: EngineRig, _ command: Command, into tally: inout MatrixRun.Tally
  ) throws {
    for _ in 0..<3 {
      try rig.sync()
      rig.advance(by: .seconds(4000))
    }
    tally.bad += try rig.pending == 0 ? 0 : 1
    guard command.keepsChanges else { return }
    let taken = rig.server.taken
    for (kind, id) in entities {
      tally.expected += 1
      if taken.contains(EntityKey(kind: kind, id: id)) { tally.got += 1 } else { tally.lost += 1 }
    }
  }
}

/// A store that drops a change once it is marked as being sent, and does not miss it.
private final class ForgettingStore: ForwardingStore {
  struct Factory: SyncStoreFactory {
    let base: InMemorySyncStoreFactory
    func makeStore() -> any SyncStore { ForgettingStore(base.makeStore()) }
  }

  override func update(_ mutation: Mutation) throws {
    try mutation.mayHaveBeenSent ? base.removeMutation(mutation.id) : base.update(mutation)
  }

  override func unqueuedPendingEntities() -> [SyncEntity] { [] }
}
