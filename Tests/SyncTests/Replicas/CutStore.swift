import Platform

@testable import Sync

/// A disk that a cut of power takes back to what was synced, or to any transaction behind that.
final class CutDisk: SyncStoreFactory, Sendable {
  fileprivate struct Contents {
    var synced: SyncData
    /// The transactions saved since.
    var saved: [[StoreChange]] = []

    var all: SyncData {
      var data = synced
      for transaction in saved {
        for change in transaction { data.apply(change) }
      }
      return data
    }
  }

  fileprivate let contents: Locked<Contents>

  init(domain: SyncDomain) {
    contents = Locked(Contents(synced: SyncData(domain: domain)))
  }

  func makeStore() -> any SyncStore {
    JournaledSyncStore(StoreContents(contents.withLock { $0.all }), medium: CutMedium(contents: contents))
  }

  /// Loses what was not synced, but for so many transactions that happened to be on the disk.
  func cut(keeping count: Int) {
    contents.withLock { $0.saved.removeSubrange(min(count, $0.saved.count)...) }
  }

  /// How many transactions are not synced.
  var unsynced: Int { contents.withLock { $0.saved.count } }
}

private final class CutMedium: StoreMedium {
  private let contents: Locked<CutDisk.Contents>

  init(contents: Locked<CutDisk.Contents>) {
    self.contents = contents
  }

  func save(_ transaction: StoreTransaction, leadingTo data: SyncData) {
    let changes = transaction.changes
    if !changes.isEmpty { contents.withLock { $0.saved.append(changes) } }
  }

  func pendingSync() -> (@Sendable () throws -> Void)? {
    let count = contents.withLock { $0.saved.count }
    guard count > 0 else { return nil }
    return { [contents] in
      contents.withLock { contents in
        for transaction in contents.saved.prefix(count) {
          for change in transaction { contents.synced.apply(change) }
        }
        contents.saved.removeFirst(min(count, contents.saved.count))
      }
    }
  }
}
