/// Where the transactions of a store go.
protocol StoreMedium: AnyObject {
  /// Adds a change to the transaction that is under way.
  ///
  /// - Throws: ``SyncError`` for a change that it cannot hold; it is not in the transaction then.
  func add(_ change: StoreChange) throws

  /// Keeps the transaction, all of it or nothing, and begins the next one; after an error it goes on.
  ///
  /// - Parameter data: What everything added so far leads to; not to be held on to, or the next change would copy it.
  func save(leadingTo data: SyncData) throws

  /// What makes every transaction so far survive a cut of power; `nil` when nothing has to be done for that.
  func pendingSync() -> (@Sendable () throws -> Void)?

  /// Forgets the transaction that is under way.
  func discard()
}

/// A store that holds everything in memory and hands each transaction to a medium.
///
/// What is not saved is known to this handle only, so it goes with it.
final class JournaledSyncStore: SyncStore {
  private var data: SyncData
  private let medium: any StoreMedium
  /// What takes back what was not saved, the last change last.
  private var undo: [(inout SyncData) -> Void] = []

  /// A handle that begins with what the medium holds.
  init(data: SyncData, medium: any StoreMedium) {
    self.data = data
    self.medium = medium
  }

  func pendingCount() -> Int { data.queue.count }

  func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    let changes = data.queue.changes(adding: mutation)
    for change in changes {
      switch change {
      case .added(let mutation): try apply(.queued(mutation, sequence: data.queue.nextSequence))
      case .replaced(let mutation): try update(mutation)
      case .removed(let mutation): try removeMutation(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  func nextMutations(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    data.queue.next(after: position, limit: limit)
  }

  func mutations(of entity: EntityKey) -> [Mutation] { data.queue.mutations(of: entity) }

  func mutations() -> [Mutation] { data.queue.all.map(\.mutation) }

  func mutation(_ id: String) -> Mutation? { data.queue[id] }

  func update(_ mutation: Mutation) throws {
    guard let sequence = data.queue.sequence(of: mutation.id) else { return }
    try apply(.queued(mutation, sequence: sequence))
  }

  func removeMutation(_ id: String) throws {
    guard data.queue[id] != nil else { return }
    try apply(.unqueued(id: id))
  }

  func removeAllMutations() throws -> [Mutation] {
    let removed = data.queue.all.map(\.mutation)
    for mutation in removed { try apply(.unqueued(id: mutation.id)) }
    return removed
  }

  func bury(_ mutation: Mutation) throws { try apply(.buried(mutation)) }

  func deadLetters() -> [Mutation] { data.deadLetters }

  func deadLetters(of entity: EntityKey) -> [Mutation] { data.deadLetters(of: entity) }

  func deadLetter(_ id: String) -> Mutation? { data.deadLetter(id) }

  func removeDeadLetter(_ id: String) throws {
    guard data.deadLetter(id) != nil else { return }
    try apply(.noDeadLetter(id: id))
  }

  func entity(_ key: EntityKey) -> SyncEntity? { data[key] }

  func upsert(_ entity: SyncEntity) throws { try apply(.row(entity)) }

  func removeEntity(_ key: EntityKey) throws {
    guard data[key] != nil else { return }
    try apply(.noRow(key))
  }

  func entities(of kind: String) -> [SyncEntity] { data.rows(of: kind) }

  func unqueuedPendingEntities() -> [SyncEntity] { data.unqueuedPendingRows }

  func entities(waitingFor target: EntityKey) -> [SyncEntity] { data.rows(waitingFor: target) }

  func quarantine() -> [RemoteChange] { data.quarantined.all }

  func quarantine(of entity: EntityKey) -> [RemoteChange] { data.quarantined[entity] }

  func addToQuarantine(_ change: RemoteChange) throws { try apply(.quarantined(change)) }

  func removeQuarantine(of entity: EntityKey) throws {
    if !data.quarantined[entity].isEmpty { try apply(.unquarantined(entity)) }
  }

  func removeQuarantine(of kind: String) throws {
    if !data.quarantined.entities(of: kind).isEmpty { try apply(.unquarantinedKind(kind)) }
  }

  func fetchedKinds() -> Set<String>? { data.fetchedKinds.map(Set.init) }

  func setFetchedKinds(_ kinds: Set<String>) throws {
    let sorted = kinds.sorted()
    if data.fetchedKinds != sorted { try apply(.fetchedKinds(sorted)) }
  }

  func cursor() -> SyncCursor? { data.cursor }

  func setCursor(_ cursor: SyncCursor?) throws {
    if data.cursor != cursor { try apply(.cursor(cursor)) }
  }

  func erase() throws { try apply(.erased) }

  func pendingSync() -> (@Sendable () throws -> Void)? { medium.pendingSync() }

  func save() throws {
    try medium.save(leadingTo: data)
    undo.removeAll(keepingCapacity: undo.count < 1024)
  }

  func rollback() -> Bool {
    medium.discard()
    while let step = undo.popLast() { step(&data) }
    return true
  }

  private func apply(_ change: StoreChange) throws {
    try medium.add(change)
    undo.append(data.undo(of: change))
    data.apply(change)
  }
}
