import Sync

/// A store that passes everything on; what is made of it breaks one promise.
class ForwardingStore: SyncStore {
  let base: any SyncStore

  init(_ base: any SyncStore) {
    self.base = base
  }

  func pendingCount() throws -> Int { try base.pendingCount() }
  func enqueue(_ mutation: Mutation) throws -> [QueueChange] { try base.enqueue(mutation) }
  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    try base.nextMutations(after: position, limit: limit)
  }
  func mutations(of entity: EntityKey) throws -> [Mutation] { try base.mutations(of: entity) }
  func mutations() throws -> [Mutation] { try base.mutations() }
  func mutation(_ id: String) throws -> Mutation? { try base.mutation(id) }
  func update(_ mutation: Mutation) throws { try base.update(mutation) }
  func removeMutation(_ id: String) throws { try base.removeMutation(id) }
  func removeAllMutations() throws -> [Mutation] { try base.removeAllMutations() }
  func bury(_ mutation: Mutation) throws { try base.bury(mutation) }
  func deadLetters() throws -> [Mutation] { try base.deadLetters() }
  func deadLetters(of entity: EntityKey) throws -> [Mutation] { try base.deadLetters(of: entity) }
  func deadLetter(_ id: String) throws -> Mutation? { try base.deadLetter(id) }
  func removeDeadLetter(_ id: String) throws { try base.removeDeadLetter(id) }
  func entity(_ key: EntityKey) throws -> SyncEntity? { try base.entity(key) }
  func upsert(_ entity: SyncEntity) throws { try base.upsert(entity) }
  func removeEntity(_ key: EntityKey) throws { try base.removeEntity(key) }
  func entities(of kind: String) throws -> [SyncEntity] { try base.entities(of: kind) }
  func unqueuedPendingEntities() throws -> [SyncEntity] { try base.unqueuedPendingEntities() }
  func entities(waitingFor target: EntityKey) throws -> [SyncEntity] { try base.entities(waitingFor: target) }
  func quarantine() throws -> [RemoteChange] { try base.quarantine() }
  func quarantine(of entity: EntityKey) throws -> [RemoteChange] { try base.quarantine(of: entity) }
  func addToQuarantine(_ change: RemoteChange) throws { try base.addToQuarantine(change) }
  func removeQuarantine(of entity: EntityKey) throws { try base.removeQuarantine(of: entity) }
  func removeQuarantine(of kind: String) throws { try base.removeQuarantine(of: kind) }
  func cursor() throws -> SyncCursor? { try base.cursor() }
  func setCursor(_ cursor: SyncCursor?) throws { try base.setCursor(cursor) }
  func fetchedKinds() throws -> Set<String>? { try base.fetchedKinds() }
  func setFetchedKinds(_ kinds: Set<String>) throws { try base.setFetchedKinds(kinds) }
  func erase() throws { try base.erase() }
  func save() throws { try base.save() }
  func pendingSync() -> (@Sendable () throws -> Void)? { base.pendingSync() }
  func rollback() -> Bool { base.rollback() }
}
