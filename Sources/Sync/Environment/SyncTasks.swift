/// How the engine begins work that outlives a call: its run and its timer.
///
/// Apps leave it alone. A simulation starts all tasks on an executor of its own, so that nothing happens out of order.
public struct SyncTasks: Sendable {
  private let starter: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

  /// Tasks that are started by `starter`.
  public init(_ starter: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>) {
    self.starter = starter
  }

  /// Ordinary tasks.
  public static let ordinary = SyncTasks { operation in Task { await operation() } }

  package func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    starter(operation)
  }
}
