public import Essentials

/// The observable state of an engine at one moment.
public struct SyncSnapshot: Hashable, Sendable {
  /// The state.
  public let state: SyncState
  /// How many mutations wait.
  public let pending: Int
  /// When a run last succeeded, by the wall clock.
  public let lastSuccess: Date?
  /// Why the last run did not succeed; `nil` once one has.
  public let failure: SyncError?
  /// The last probe; `nil` before the first.
  public let lastProbe: SyncProbe?
}

/// The outcome of a probe.
public struct SyncProbe: Hashable, Sendable {
  /// When it ended, by the wall clock.
  public let time: Date
  /// Why it failed; `nil` when it did not.
  public let failure: SyncError?
  /// How many have failed in a row by now.
  public let consecutiveFailures: Int
}

extension SyncEngine {
  /// The observable state now.
  public var snapshot: SyncSnapshot {
    SyncSnapshot(
      state: machine.state, pending: pending, lastSuccess: lastSuccess, failure: lastFailure,
      lastProbe: lastProbe)
  }

  /// The observable state now and after each change; a slow reader misses what is between, never the newest.
  ///
  /// The stream holds neither the engine nor its files: it ends when the engine goes or is stopped.
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

// Those who wait for the end of a run.
extension SyncEngine {
  /// Waits for the end of a run; the run does not depend on whether somebody waits.
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

  /// Tells those who wait for a run what it came to.
  func conclude(_ summary: SyncRunSummary) {
    for (waiter, entry) in waiters where entry.run == summary.sequence {
      waiters[waiter] = nil
      entry.continuation.resume(returning: .finished(summary))
    }
  }
}
