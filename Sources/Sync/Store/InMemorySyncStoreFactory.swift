/// Stores whose disk is memory: for tests, simulations, and apps that need nothing to outlive them.
///
/// All stores of one factory, and of its copies, open the same contents. What one of them has not saved is seen by no
/// other and goes with it.
///
/// ```swift
/// let factory = InMemorySyncStoreFactory(domain: domain)
/// let store = try factory.makeStore()
/// ```
public struct InMemorySyncStoreFactory: SyncStoreFactory {
  private let disk: StoreContents

  /// An empty disk for the entities of a domain.
  public init(domain: SyncDomain) {
    disk = StoreContents(SyncData(domain: domain))
  }

  /// Opens what was saved.
  public func makeStore() -> any SyncStore { JournaledSyncStore(disk, medium: MemoryMedium()) }
}

/// Nothing is to be done: the contents are the disk.
private final class MemoryMedium: StoreMedium {
  func save(_ transaction: StoreTransaction, leadingTo data: SyncData) {}

  func pendingSync() -> (@Sendable () throws -> Void)? { nil }
}
