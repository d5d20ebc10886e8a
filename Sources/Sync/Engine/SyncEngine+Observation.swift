public import Foundation

/// What can be observed of an engine at one moment.
public struct SyncSnapshot: Hashable, Sendable {
  /// The state.
  public let state: SyncState
  /// How many mutations wait.
  public let pending: Int
  /// When a run last succeeded, by the wall clock.
  public let lastSuccess: Date?
}

extension SyncEngine {
  /// What can be observed now.
  public var snapshot: SyncSnapshot {
    SyncSnapshot(state: machine.state, pending: pending, lastSuccess: lastSuccess)
  }

  /// What can be observed now and after each change; who is slow misses what is between, never the newest.
  public func updates() -> AsyncStream<SyncSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    observerCount += 1
    let number = observerCount
    observers[number] = continuation
    continuation.yield(snapshot)
    continuation.onTermination = { _ in
      Task { await self.removeObserver(number) }
    }
    return stream
  }

  private func removeObserver(_ number: Int) {
    observers[number] = nil
  }

  func publish() {
    guard !observers.isEmpty, lastPublished != snapshot else { return }
    lastPublished = snapshot
    for continuation in observers.values { continuation.yield(snapshot) }
  }
}
