/// Where the transactions of a store go.
protocol StoreMedium: AnyObject {
  /// Keeps a transaction, all of it or nothing.
  ///
  /// - Parameters:
  ///   - changes: What has changed since the last one.
  ///   - data: What it has led to; not to be held on to, for that would make the next change copy it.
  func keep(_ changes: [StoreChange], leadingTo data: SyncData) throws
}

/// A store that holds everything in memory and hands each transaction to a medium.
///
/// What is not saved is known to this handle only, so it goes with it.
final class JournaledSyncStore: SyncStore {
  private var data: SyncData
  private var unsaved: [StoreChange] = []
  private let medium: any StoreMedium

  /// A handle that begins with what the medium holds.
  init(data: SyncData, medium: any StoreMedium) {
    self.data = data
    self.medium = medium
  }

  func pendingCount() -> Int { data.queue.count }

  func enqueue(_ mutation: Mutation) -> [QueueChange] {
    let changes = data.queue.changes(adding: mutation)
    for change in changes {
      switch change {
      case .added(let mutation): apply(.queued(mutation, sequence: data.queue.nextSequence))
      case .replaced(let mutation): update(mutation)
      case .removed(let mutation): removeMutation(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  func nextMutations(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    data.queue.next(after: position, limit: limit)
  }

  func mutations(of entity: EntityKey) -> [Mutation] { data.queue.mutations(of: entity) }

  func mutation(_ id: String) -> Mutation? { data.queue[id] }

  func update(_ mutation: Mutation) {
    guard let sequence = data.queue.sequence(of: mutation.id) else { return }
    apply(.queued(mutation, sequence: sequence))
  }

  func removeMutation(_ id: String) {
    guard data.queue[id] != nil else { return }
    apply(.unqueued(id: id))
  }

  func removeAllMutations() -> [Mutation] {
    let removed = data.queue.all.map(\.mutation)
    for mutation in removed { apply(.unqueued(id: mutation.id)) }
    return removed
  }

  func pendingDeletes() -> Set<EntityKey> { data.queue.deletes }

  func bury(_ mutation: Mutation) { apply(.buried(mutation)) }

  func deadLetters() -> [Mutation] { data.deadLetters }

  func removeDeadLetter(_ id: String) {
    guard data.hasDeadLetter(id) else { return }
    apply(.noDeadLetter(id: id))
  }

  func entity(_ key: EntityKey) -> SyncEntity? { data[key] }

  func upsert(_ entity: SyncEntity) { apply(.row(entity)) }

  func removeEntity(_ key: EntityKey) {
    guard data[key] != nil else { return }
    apply(.noRow(key))
  }

  func entities(of kind: String) -> [SyncEntity] { data.rows(of: kind) }

  func unqueuedPendingEntities() -> [SyncEntity] { data.unqueuedPendingRows }

  func quarantine() -> [RemoteChange] { data.quarantine }

  func setQuarantine(_ changes: [RemoteChange]) { apply(.quarantine(changes)) }

  func save() throws {
    guard !unsaved.isEmpty else { return }
    try medium.keep(unsaved, leadingTo: data)
    unsaved.removeAll(keepingCapacity: unsaved.count < 1024)
  }

  private func apply(_ change: StoreChange) {
    data.apply(change)
    unsaved.append(change)
  }
}
