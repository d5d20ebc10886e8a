import MisterMetricsCore
import Platform
import Sync

/// Counts what is done to the stores of another factory, and lets them fail on demand.
struct CountingStoreFactory: SyncStoreFactory {
  /// The actions so far.
  struct Counts: Equatable {
    /// Handles asked for.
    var opens = 0
    /// Operations of all handles, saves included.
    var operations = 0
    /// Saves that succeeded.
    var saves = 0
  }

  /// The next failure.
  struct Faults: Equatable {
    /// How many openings fail with ``SyncError/Code/storeUnavailable``.
    var opens = 0
    /// How many operations (saves included) fail with ``SyncError/Code/storeUnavailable``.
    var operations = 0
    /// How many saves fail with ``SyncError/Code/store``.
    var saves = 0
    /// How many operations from now the one is that fails; 0 for none.
    var operation = 0
    /// Its failure.
    var operationCode = SyncError.Code.store
  }

  fileprivate struct State {
    var counts = Counts()
    var faults = Faults()
  }

  /// The wrapped store: operations on it are not counted.
  let base: any SyncStoreFactory
  private let state = Locked(State())

  /// Wraps a factory.
  init(_ base: any SyncStoreFactory) {
    self.base = base
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Says what is to fail from now on.
  func fail(_ faults: Faults) {
    state.withLock { $0.faults = faults }
  }

  func makeStore() throws -> any SyncStore {
    try state.withLock { state in
      state.counts.opens += 1
      try SyncError.due(.storeUnavailable, &state.faults.opens)
    }
    return CountingStore(base: try base.makeStore(), state: state)
  }
}

extension SyncError {
  /// Throws while failures are due.
  fileprivate static func due(_ code: Code, _ count: inout Int) throws {
    guard count > 0 else { return }
    count -= 1
    throw SyncError(code, detail: "on demand")
  }
}

/// Hands everything on, after counting it.
private final class CountingStore: SyncStore {
  private let base: any SyncStore
  private let state: Locked<CountingStoreFactory.State>

  init(base: any SyncStore, state: Locked<CountingStoreFactory.State>) {
    self.base = base
    self.state = state
  }

  func pendingCount() throws -> Int { try counted { try $0.pendingCount() } }
  func enqueue(_ mutation: Mutation) throws -> [QueueChange] { try counted { try $0.enqueue(mutation) } }
  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    try counted { try $0.nextMutations(after: position, limit: limit) }
  }
  func mutations(of entity: EntityKey) throws -> [Mutation] { try counted { try $0.mutations(of: entity) } }
  func mutations() throws -> [Mutation] { try counted { try $0.mutations() } }
  func mutation(_ id: String) throws -> Mutation? { try counted { try $0.mutation(id) } }
  func update(_ mutation: Mutation) throws { try counted { try $0.update(mutation) } }
  func removeMutation(_ id: String) throws { try counted { try $0.removeMutation(id) } }
  func removeAllMutations() throws -> [Mutation] { try counted { try $0.removeAllMutations() } }
  func bury(_ mutation: Mutation) throws { try counted { try $0.bury(mutation) } }
  func deadLetters() throws -> [Mutation] { try counted { try $0.deadLetters() } }
  func deadLetters(of entity: EntityKey) throws -> [Mutation] {
    try counted { try $0.deadLetters(of: entity) }
  }
  func deadLetter(_ id: String) throws -> Mutation? { try counted { try $0.deadLetter(id) } }
  func removeDeadLetter(_ id: String) throws { try counted { try $0.removeDeadLetter(id) } }
  func entity(_ key: EntityKey) throws -> SyncEntity? { try counted { try $0.entity(key) } }
  func upsert(_ entity: SyncEntity) throws { try counted { try $0.upsert(entity) } }
  func removeEntity(_ key: EntityKey) throws { try counted { try $0.removeEntity(key) } }
  func entities(of kind: String) throws -> [SyncEntity] { try counted { try $0.entities(of: kind) } }
  func unqueuedPendingEntities() throws -> [SyncEntity] { try counted { try $0.unqueuedPendingEntities() } }
  func quarantine() throws -> [RemoteChange] { try counted { try $0.quarantine() } }
  func entities(waitingFor target: EntityKey) throws -> [SyncEntity] {
    try counted { try $0.entities(waitingFor: target) }
  }
  func quarantine(of entity: EntityKey) throws -> [RemoteChange] {
    try counted { try $0.quarantine(of: entity) }
  }
  func addToQuarantine(_ change: RemoteChange) throws { try counted { try $0.addToQuarantine(change) } }
  func removeQuarantine(of entity: EntityKey) throws { try counted { try $0.removeQuarantine(of: entity) } }
  func removeQuarantine(of kind: String) throws { try counted { try $0.removeQuarantine(of: kind) } }
  func fetchedKinds() throws -> Set<String>? { try counted { try $0.fetchedKinds() } }
  func setFetchedKinds(_ kinds: Set<String>) throws { try counted { try $0.setFetchedKinds(kinds) } }

  func erase() throws { try counted { try $0.erase() } }
  func pendingSync() -> (@Sendable () throws -> Void)? { base.pendingSync() }
  func cursor() throws -> SyncCursor? { try counted { try $0.cursor() } }
  func setCursor(_ cursor: SyncCursor?) throws { try counted { try $0.setCursor(cursor) } }

  func save() throws {
    try counted { store in
      try state.withLock { try SyncError.due(.store, &$0.faults.saves) }
      try store.save()
    }
    state.withLock { $0.counts.saves += 1 }
  }

  private func counted<Result>(_ body: (any SyncStore) throws -> Result) throws -> Result {
    try state.withLock { state in
      state.counts.operations += 1
      try SyncError.due(.storeUnavailable, &state.faults.operations)
      guard state.faults.operation > 0 else { return }
      state.faults.operation -= 1
      if state.faults.operation == 0 { throw SyncError(state.faults.operationCode, detail: "on demand") }
    }
    return try body(base)
  }
}
