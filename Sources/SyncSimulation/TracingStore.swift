import Essentials
import Sync

/// Creates stores that trace the engine's use of them.
struct TracingStoreFactory: SyncStoreFactory {
  let stores: any SyncStoreFactory
  let trace: SimulationTrace

  func makeStore() throws -> any SyncStore {
    TracingStore(try stores.makeStore(), trace)
  }
}

/// A store that forwards all calls and traces reads of the queue and transactions.
private final class TracingStore: SyncStore {
  private let store: any SyncStore
  private let trace: SimulationTrace
  /// The steps of the open transaction, without repetitions.
  private var steps: [String] = []

  init(_ store: any SyncStore, _ trace: SimulationTrace) {
    self.store = store
    self.trace = trace
  }

  private func add(_ step: String) {
    if !steps.contains(step) { steps.append(step) }
  }

  func pendingCount() throws -> Int { try store.pendingCount() }

  func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    add("queue the mutation")
    return try store.enqueue(mutation)
  }

  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    trace.note(.engine, .store, "next mutations")
    let due = try store.nextMutations(after: position, limit: limit)
    let words = due.first.map {
      "\($0.mutation.operation.rawValue) \($0.mutation.entity.kind)"
    }
    trace.note(.store, .engine, words ?? "none", isAnswer: true)
    return due
  }

  func mutations(of entity: EntityKey) throws -> [Mutation] { try store.mutations(of: entity) }
  func mutations() throws -> [Mutation] { try store.mutations() }
  func mutation(_ id: String) throws -> Mutation? { try store.mutation(id) }

  func update(_ mutation: Mutation) throws {
    if mutation.lastError == nil {
      add("mark as sent")
    } else {
      add("attempts \(mutation.attempts), last error")
    }
    try store.update(mutation)
  }

  func removeMutation(_ id: String) throws {
    add("remove the mutation")
    try store.removeMutation(id)
  }

  func removeAllMutations() throws -> [Mutation] {
    add("remove all mutations")
    return try store.removeAllMutations()
  }

  func bury(_ mutation: Mutation) throws {
    add("move the mutation to the dead letters")
    try store.bury(mutation)
  }

  func deadLetters() throws -> [Mutation] { try store.deadLetters() }
  func deadLetters(of entity: EntityKey) throws -> [Mutation] { try store.deadLetters(of: entity) }
  func deadLetter(_ id: String) throws -> Mutation? { try store.deadLetter(id) }
  func removeDeadLetter(_ id: String) throws { try store.removeDeadLetter(id) }
  func entity(_ key: EntityKey) throws -> SyncEntity? { try store.entity(key) }

  func upsert(_ entity: SyncEntity) throws {
    add("write row (\(entity.status.rawValue))")
    try store.upsert(entity)
  }

  func removeEntity(_ key: EntityKey) throws {
    add("remove row")
    try store.removeEntity(key)
  }

  func entities(of kind: String) throws -> [SyncEntity] { try store.entities(of: kind) }
  func unqueuedPendingEntities() throws -> [SyncEntity] { try store.unqueuedPendingEntities() }
  func entities(waitingFor target: EntityKey) throws -> [SyncEntity] {
    try store.entities(waitingFor: target)
  }
  func quarantine() throws -> [RemoteChange] { try store.quarantine() }
  func quarantine(of entity: EntityKey) throws -> [RemoteChange] { try store.quarantine(of: entity) }

  func addToQuarantine(_ change: RemoteChange) throws {
    add("keep changes that cannot be applied")
    try store.addToQuarantine(change)
  }

  func removeQuarantine(of entity: EntityKey) throws { try store.removeQuarantine(of: entity) }
  func removeQuarantine(of kind: String) throws { try store.removeQuarantine(of: kind) }
  func fetchedKinds() throws -> Set<String>? { try store.fetchedKinds() }
  func setFetchedKinds(_ kinds: Set<String>) throws { try store.setFetchedKinds(kinds) }
  func pendingSync() -> (@Sendable () throws -> Void)? { store.pendingSync() }

  func erase() throws {
    add("erase everything")
    try store.erase()
  }

  func rollback() -> Bool {
    steps = []
    return store.rollback()
  }

  func cursor() throws -> SyncCursor? { try store.cursor() }

  func setCursor(_ cursor: SyncCursor?) throws {
    add("keep the cursor")
    try store.setCursor(cursor)
  }

  func save() throws {
    let isEmpty = steps.isEmpty
    if !isEmpty { trace.note(.engine, .store, "one transaction: " + steps.joined(separator: ", ")) }
    steps = []
    try store.save()
  }
}

/// Preferences that trace the engine's writes.
struct TracingPreferences: SyncPreferences {
  let preferences: any SyncPreferences
  let trace: SimulationTrace

  func value(_ name: String) -> Data? { preferences.value(name) }

  func set(_ value: Data?, for name: String) throws {
    trace.note(.engine, .store, "keep \(name)")
    try preferences.set(value, for: name)
  }
}
