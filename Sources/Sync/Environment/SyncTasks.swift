import Dispatch
import Essentials

/// The executor of work that outlives a call: runs, timers and waits for the disk.
///
/// Apps use the default. A simulation runs all tasks on an executor of its own to keep them in order.
package struct SyncTasks: Sendable {
  private let starter: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  private let blocking: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates tasks with `starter`; work that blocks its thread runs with `blocking`.
  package init(
    _ starter: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>,
    blocking: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = SyncTasks.onThread
  ) {
    self.starter = starter
    self.blocking = blocking
  }

  /// On a system thread: disk waits are long, and the threads of the task pool are few.
  package static let onThread: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
    DispatchQueue.global().async { work() }
  }

  /// Unstructured tasks of the Swift runtime.
  package static let ordinary = SyncTasks { operation in Task { await operation() } }

  package func block(_ operation: @escaping @Sendable () -> Void) { blocking(operation) }

  package func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    starter(operation)
  }
}
