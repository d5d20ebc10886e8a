import Platform
import Testing

@testable import Sync
@testable import SyncSimulation

/// A disk that a cut of power takes back to what was synced, or to any transaction behind that.
final class CutDisk: SyncStoreFactory, Sendable {
  fileprivate struct Contents {
    /// The transactions that are on the disk, then those that may not be.
    var synced: [[StoreStep]] = []
    var saved: [[StoreStep]] = []
    var memory: InMemorySyncStoreFactory
  }

  private let domain: SyncDomain
  fileprivate let contents: Locked<Contents>

  init(domain: SyncDomain) {
    self.domain = domain
    contents = Locked(Contents(memory: InMemorySyncStoreFactory(domain: domain)))
  }

  func makeStore() -> any SyncStore {
    CutStore(contents.withLock { $0.memory }.makeStore(), contents: contents)
  }

  /// Loses what was not synced, but for so many transactions that happened to be on the disk.
  func cut(keeping count: Int) {
    let memory = InMemorySyncStoreFactory(domain: domain)
    let kept = contents.withLock { contents in
      contents.saved.removeSubrange(min(count, contents.saved.count)...)
      return contents.synced + contents.saved
    }
    let store = memory.makeStore()
    do {
      for transaction in kept {
        for step in transaction { _ = try step.perform(on: store) }
        try store.save()
      }
    } catch { Issue.record(error) }
    contents.withLock { $0.memory = memory }
  }

  /// How many transactions are not synced.
  var unsynced: Int { contents.withLock { $0.saved.count } }
}

/// Notes what is done to a store in memory.
private final class CutStore: ForwardingStore {
  private let contents: Locked<CutDisk.Contents>
  private var transaction: [StoreStep] = []

  init(_ base: any SyncStore, contents: Locked<CutDisk.Contents>) {
    self.contents = contents
    super.init(base)
  }

  override func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    note(.enqueue(mutation))
    return try base.enqueue(mutation)
  }

  override func removeAllMutations() throws -> [Mutation] {
    note(.removeAllMutations)
    return try base.removeAllMutations()
  }

  override func update(_ mutation: Mutation) throws { try perform(.update(mutation)) }
  override func removeMutation(_ id: String) throws { try perform(.removeMutation(id)) }
  override func bury(_ mutation: Mutation) throws { try perform(.bury(mutation)) }
  override func removeDeadLetter(_ id: String) throws { try perform(.removeDeadLetter(id)) }
  override func upsert(_ entity: SyncEntity) throws { try perform(.upsert(entity)) }
  override func removeEntity(_ key: EntityKey) throws { try perform(.removeEntity(key)) }
  override func addToQuarantine(_ change: RemoteChange) throws { try perform(.addToQuarantine(change)) }
  override func removeQuarantine(of entity: EntityKey) throws { try perform(.removeQuarantine(entity)) }
  override func removeQuarantine(of kind: String) throws { try perform(.removeQuarantineOfKind(kind)) }
  override func setCursor(_ cursor: SyncCursor?) throws { try perform(.setCursor(cursor)) }
  override func setFetchedKinds(_ kinds: Set<String>) throws { try perform(.setFetchedKinds(kinds)) }
  override func erase() throws { try perform(.erase) }

  override func save() throws {
    try base.save()
    let transaction = transaction
    self.transaction = []
    if !transaction.isEmpty { contents.withLock { $0.saved.append(transaction) } }
  }

  override func rollback() -> Bool {
    transaction = []
    return base.rollback()
  }

  override func pendingSync() -> (@Sendable () throws -> Void)? {
    let count = contents.withLock { $0.saved.count }
    guard count > 0 else { return nil }
    return { [contents] in
      contents.withLock { contents in
        let synced = contents.saved.prefix(count)
        contents.synced += synced
        contents.saved.removeFirst(synced.count)
      }
    }
  }

  private func note(_ step: StoreStep) { transaction.append(step) }

  private func perform(_ step: StoreStep) throws {
    note(step)
    _ = try step.perform(on: base)
  }
}
