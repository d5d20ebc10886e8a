public import Essentials
package import Platform

/// Durable stores: a log of transactions in one file.
///
/// A transaction is one checksummed record at the end of the file, written with one system call. Opening reads the log;
/// a record that a killed process left unfinished was never acknowledged and is cut off. When most of the log is
/// outdated, what counts is written to a new file, which then takes the name. The file belongs to one handle at a time:
/// another one, in this process or another, fails with ``SyncError/Code/storeInUse``.
///
/// ```swift
/// let factory = FileSyncStoreFactory(file: folder.appendingPathComponent("sync.log"), domain: domain)
/// let store = try factory.makeStore()
/// ```
public struct FileSyncStoreFactory: SyncStoreFactory {
  /// The failures a transaction survives once ``SyncStore/save()`` and ``SyncStore/pendingSync()`` have returned.
  public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// The death of any process: the record is in the file, but perhaps not yet on the disk.
    case process
    /// A power cut, for all that an engine has acknowledged: the record is on the disk. The default.
    case commit
  }

  /// The log.
  package let file: URL
  /// The failures a transaction survives.
  private let durability: Durability

  private let domain: SyncDomain
  private let operations: FileOperations
  private let latest = Locked<SyncStoreRecovery?>(nil)

  /// A store of the entities of a domain in a file, which is made with its folders when it is missing.
  public init(file: URL, domain: SyncDomain, durability: Durability = .commit) {
    self.init(file: file, domain: domain, durability: durability, operations: .system)
  }

  package init(file: URL, domain: SyncDomain, durability: Durability, operations: FileOperations) {
    (self.file, self.domain, self.durability, self.operations) = (file, domain, durability, operations)
  }

  /// Where the latest opening kept the file that it found, if a transaction in its middle is not as it was written.
  ///
  /// Everything before that transaction is in the store, the rest in this file only.
  public var damagedFile: URL? { recovery?.damagedFile }

  /// The findings of the latest opening, or `nil` before the first.
  package var recovery: SyncStoreRecovery? { latest.withLock { $0 } }

  /// Opens the log.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeInUse`` when another handle has the file, with
  ///   ``SyncError/Code/storeUnavailable`` when it cannot be opened or is no log of a known version; it stays as it is.
  public func makeStore() throws -> any SyncStore {
    let (medium, data, recovery) = try StoreLogFile.open(
      file.path, domain: domain, durability: durability, operations: operations)
    latest.withLock { $0 = recovery }
    return JournaledSyncStore(StoreContents(data), medium: medium)
  }
}

/// The findings of opening a durable store's file.
package struct SyncStoreRecovery: Hashable, Sendable {
  /// How many transactions were read.
  package let transactions: Int
  /// How many bytes of an unfinished transaction were cut off.
  package let tornBytes: Int
  /// Where the whole damaged file was kept, if a transaction in its middle is not as it was written.
  package let damagedFile: URL?
}
