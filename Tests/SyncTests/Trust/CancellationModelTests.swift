import Platform
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

/// Every command at every suspension of a run.
@Suite("Commands at every await")
struct CancellationModelTests {
  enum Command: CaseIterable {
    case cancel, stop, erase, reset, resync
  }

  /// The answers to the first pushes.
  private static let scripts: [[SyncError?]] = [
    [], [SyncError(httpStatus: 422), SyncError(httpStatus: 500)], [SyncError(.timeout)],
    [SyncError(httpStatus: 429, retryAfter: .seconds(5)), nil], [SyncError(httpStatus: 401)],
    [SyncError(.cancelled)],
  ]

  /// A run that meets a command after a number of steps.
  ///
  /// - Returns: Whether the run had ended before, and the fault.
  private static func play(
    _ command: Command, after count: Int, _ script: [SyncError?], delay: Duration
  ) throws -> (isOver: Bool, fault: String?) {
    let rig = try EngineRig()
    for (kind, id) in [("event", "a"), ("event", "b"), ("geofence", "g"), ("geofence", "h")] {
      try rig.queue(.create, kind, id)
    }
    rig.server.set {
      $0.pushes = script
      $0.delay = delay
      for (kind, id) in [("event", "a"), ("event", "b"), ("geofence", "g"), ("geofence", "h")] {
        $0.entities[kind, default: []].append(RemoteEntity(id: id, members: ["name": "walk"]))
      }
    }
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
    let (sending, run) = try rig.run { (await $0.sending, await $0.machine.run) }
    guard sending.isEmpty, run == nil else { return (wasOver, "\(sending.keys) stay marked") }
    return (wasOver, try command == .stop ? nil : rest(of: rig))
  }

  /// Lets everything be sent that waits.
  private static func rest(of rig: EngineRig) throws -> String? {
    for _ in 0..<3 {
      try rig.sync()
      rig.advance(by: .seconds(4000))
    }
    let pending = try rig.pending
    return pending == 0 ? nil : "\(pending) are never sent"
  }

  @Test(arguments: Command.allCases)
  func `No command leaves an entity marked, and everything is sent in the end`(command: Command) throws {
    for (number, script) in Self.scripts.enumerated() {
      for delay in [Duration.zero, .seconds(1)] {
        var (count, isOver) = (0, false)
        while !isOver {
          let (wasOver, fault) = try Self.play(command, after: count, script, delay: delay)
          if let fault { Issue.record("\(command) at step \(count) of script \(number): \(fault)") }
          (count, isOver) = (count + 1, wasOver)
        }
        #expect(count > 10)
      }
    }
  }
}
