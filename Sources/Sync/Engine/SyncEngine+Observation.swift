public import Essentials

/// The observable state of an engine at one moment.
public struct SyncSnapshot: Hashable, Sendable {
  /// The state.
  public let state: SyncState
  /// Pending mutations.
  public let pending: Int
  /// The wall-clock time of the last successful run.
  public let lastSuccess: Date?
  /// The failure of the last run; `nil` if it succeeded.
  public let failure: SyncError?
  /// The last probe; `nil` before the first.
  public let lastProbe: SyncProbe?
}

/// The outcome of a probe.
public struct SyncProbe: Hashable, Sendable {
  /// The wall-clock time of its end.
  public let time: Date
  /// The failure; `nil` if it succeeded.
  public let failure: SyncError?
  /// Consecutive failures, this one included.
  public let consecutiveFailures: Int
}

extension SyncEngine {
  /// The observable state now.
  public var snapshot: SyncSnapshot {
    SyncSnapshot(
      state: machine.state, pending: pending, lastSuccess: lastSuccess, failure: lastFailure,
      lastProbe: lastProbe)
  }

  /// The observable state now and after each change; a slow reader skips intermediate states, never the newest.
  ///
  /// The stream retains neither the engine nor its files: it ends when the engine is released or stopped.
  public func updates() -> AsyncStream<SyncSnapshot> {
    guard !isStopped else { return AsyncStream { $0.finish() } }
    let tasks = environment.tasks
    return observers.stream(from: snapshot) { [weak self] number in
      _ = tasks.start { [weak self] in await self?.removeObserver(number) }
    }
  }

  private func removeObserver(_ number: Int) { observers.remove(number) }

  func publish() {
    guard !observers.isEmpty, lastPublished != snapshot else { return }
    lastPublished = snapshot
    observers.send(snapshot)
  }
}

// Waiters for the end of a run.
extension SyncEngine {
  /// Waits for the end of a run; the run does not depend on having waiters.
  func outcome(ofRun number: Int) async -> Outcome {
    waiterCount += 1
    let (waiter, tasks) = (waiterCount, environment.tasks)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .waitCancelled) }
        waiters[waiter] = (number, continuation)
      }
    } onCancel: {
      _ = tasks.start { [weak self] in await self?.cancelWait(waiter) }
    }
  }

  private func cancelWait(_ waiter: Int) {
    waiters.removeValue(forKey: waiter)?.continuation.resume(returning: .waitCancelled)
  }

  /// Resumes the waiters of a run with its summary.
  func conclude(_ summary: SyncRunSummary) {
    for (waiter, entry) in waiters where entry.run == summary.sequence {
      waiters[waiter] = nil
      entry.continuation.resume(returning: .finished(summary))
    }
  }
}
