import Platform
import Sync

/// Runs tasks one job at a time in order of arrival, and only on request, which makes simulations repeatable.
///
/// Actors without a custom executor, nonisolated functions and child tasks follow the calling task to this executor,
/// so the same engine that apps link runs on it unchanged, without threads or nondeterminism.
@available(macOS 15, iOS 18, *)
final class SimulationExecutor: TaskExecutor {
  private let jobs = Locked(Jobs())

  /// A queue that frees its taken jobs in bulk, so that taking one has constant cost at any length.
  private struct Jobs {
    var waiting: [UnownedJob] = []
    var taken = 0

    mutating func next() -> UnownedJob? {
      guard taken < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        taken = 0
        return nil
      }
      taken += 1
      return waiting[taken - 1]
    }
  }

  /// Enqueues a job; called by the Swift runtime.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.waiting.append(job) }
  }

  /// Starts a task that runs entirely on this executor.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: self) { await operation() }
  }

  /// Runs one job.
  ///
  /// - Returns: Whether there was one: otherwise every task has ended or waits for an external event.
  func step() -> Bool {
    guard let job = jobs.withLock({ $0.next() }) else { return false }
    job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }
}

/// The executor behind an interface that is available on every platform version.
struct SimulationTasks: Sendable {
  /// Starts tasks on the executor.
  let tasks: SyncTasks
  /// Runs one pending job; returns whether there was one.
  let step: @Sendable () -> Bool

  /// Runs all pending jobs.
  func drain() { while step() {} }

  /// A new executor; `nil` on systems without task executors (before macOS 15 and iOS 18).
  static func make() -> SimulationTasks? {
    guard #available(macOS 15, iOS 18, *) else { return nil }
    let executor = SimulationExecutor()
    return SimulationTasks(
      tasks: SyncTasks({ executor.start($0) }, blocking: { $0() }), step: { executor.step() })
  }
}
