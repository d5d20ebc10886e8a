import Dispatch
import Essentials

/// How the engine begins work that outlives a call: its runs and its timers, and the waits for the disk.
///
/// Apps leave it alone. A simulation starts all tasks on an executor of its own, so that nothing happens out of order.
package struct SyncTasks: Sendable {
  private let starter: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  private let blocking: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Tasks that are started by `starter`; what blocks its thread, by `blocking`.
  package init(
    _ starter: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>,
    blocking: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = SyncTasks.onThread
  ) {
    self.starter = starter
    self.blocking = blocking
  }

  /// On a thread of the system's: a disk takes its time, and the threads of tasks are few.
  package static let onThread: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
    DispatchQueue.global().async { work() }
  }

  /// Ordinary tasks.
  package static let ordinary = SyncTasks { operation in Task { await operation() } }

  package func block(_ operation: @escaping @Sendable () -> Void) { blocking(operation) }

  package func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    starter(operation)
  }
}
