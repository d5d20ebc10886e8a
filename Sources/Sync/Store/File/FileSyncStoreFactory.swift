public import Essentials
package import Platform

/// Durable stores: an SQLite database in one file.
///
/// While it is open, its newest transactions are in a second file (`-wal`), removed with the last handle; the lock is
/// on a third (`-lock`), and a fourth (`-wal-reserve`) keeps room for answers on a full disk. The store belongs to one
/// handle at a time: another one, in this process or another, fails with ``SyncError/Code/storeInUse``.
///
/// ```swift
/// let factory = FileSyncStoreFactory(file: folder.appendingPathComponent("sync.sqlite"), domain: domain)
/// let store = try factory.makeStore()
/// ```
public struct FileSyncStoreFactory: SyncStoreFactory {
  /// The failures a transaction survives once ``SyncStore/save()`` and ``SyncStore/pendingSync()`` have returned.
  public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// The death of any process: the transaction is in the file, but possibly not yet on the disk.
    case process
    /// A power cut, for everything that an engine has acknowledged: the transaction is on the disk. The default.
    case commit
  }

  /// The database.
  package let file: URL
  private let durability: Durability

  private let domain: SyncDomain
  private let operations: FileOperations
  private let damage = StoreDamage()
  private let latest = Locked<URL?>(nil)

  /// Creates a factory for a file; missing files and folders are created.
  public init(file: URL, domain: SyncDomain, durability: Durability = .commit) {
    self.init(file: file, domain: domain, durability: durability, operations: .system)
  }

  package init(file: URL, domain: SyncDomain, durability: Durability, operations: FileOperations) {
    (self.file, self.domain, self.durability, self.operations) = (file, domain, durability, operations)
  }

  /// The location of the damaged file that the latest opening put aside, if any.
  ///
  /// The store contains every readable row; the rest is only in this file.
  public var damagedFile: URL? { latest.withLock { $0 } }

  /// Opens the database.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeInUse`` if another handle has the file, with
  ///   ``SyncError/Code/storeUnavailable`` if it cannot be opened or is not a store of this version; the file stays
  ///   unchanged.
  public func makeStore() throws -> any SyncStore {
    // The target of a symbolic link is the database.
    let opening = StoreOpening(
      path: Posix.resolved(file.path), domain: domain, durability: durability, operations: operations,
      damage: damage)
    let (store, damagedFile) = try opening.open()
    latest.withLock { $0 = damagedFile }
    return store
  }
}
