import Platform

/// Stores whose disk is memory: for tests, simulations, and apps that need nothing to outlive them.
///
/// All stores of one factory, and of its copies, open the same contents. What one of them has not saved is seen by no
/// other and goes with it.
///
/// ```swift
/// let factory = InMemorySyncStoreFactory(domain: .sample)
/// let store = try factory.makeStore()
/// ```
public struct InMemorySyncStoreFactory: SyncStoreFactory {
  private let disk: Locked<SyncData>

  /// An empty disk for the entities of a domain.
  public init(domain: SyncDomain) {
    disk = Locked(SyncData(domain: domain))
  }

  /// Opens what was saved.
  public func makeStore() -> any SyncStore {
    JournaledSyncStore(data: disk.withLock { $0 }, medium: MemoryMedium(disk: disk))
  }
}

/// Repeats transactions on a shared value.
private final class MemoryMedium: StoreMedium {
  private let disk: Locked<SyncData>
  private var unsaved: [StoreChange] = []

  init(disk: Locked<SyncData>) {
    self.disk = disk
  }

  func add(_ change: StoreChange) { unsaved.append(change) }

  func pendingSync() -> (@Sendable () throws -> Void)? { nil }

  func discard() { unsaved.removeAll() }

  func save(leadingTo data: SyncData) {
    disk.withLock { saved in
      for change in unsaved { saved.apply(change) }
    }
    unsaved.removeAll(keepingCapacity: unsaved.count < 1024)
  }
}
