import Platform
import Sync

/// Runs tasks one job at a time and in order of arrival, when it is told to: what makes a simulation repeatable.
///
/// Actors without an executor of their own, nonisolated functions and child tasks follow the task that calls them
/// here, so the very engine that apps link runs on it unchanged, without threads and without chance.
@available(macOS 15, iOS 18, *)
final class SimulationExecutor: TaskExecutor {
  private let jobs = Locked(Jobs())

  /// A queue that forgets what was taken in steps, so that taking costs the same however long it is.
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

  /// Takes a job; called by the language's runtime.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.waiting.append(job) }
  }

  /// Starts a task whose every step runs here.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: self) { await operation() }
  }

  /// Runs jobs until every task has ended or waits for something from outside.
  func drain() {
    while let job = jobs.withLock({ $0.next() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// The executor behind a face that exists on every platform.
struct SimulationTasks: Sendable {
  /// Starts a task.
  let tasks: SyncTasks
  /// Runs what can run.
  let drain: @Sendable () -> Void

  /// An executor of its own, or `nil` on systems that have none for tasks (before macOS 15 and iOS 18).
  static func make() -> SimulationTasks? {
    guard #available(macOS 15, iOS 18, *) else { return nil }
    let executor = SimulationExecutor()
    return SimulationTasks(
      tasks: SyncTasks({ executor.start($0) }, blocking: { $0() }), drain: { executor.drain() })
  }
}
