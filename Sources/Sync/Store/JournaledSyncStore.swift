/// Where the transactions of a store go.
protocol StoreMedium: AnyObject {
  /// Keeps a transaction, all of it or nothing.
  ///
  /// - Parameters:
  ///   - transaction: The changes.
  ///   - data: What they lead to; not to be held on to, or the next change would copy it.
  func save(_ transaction: StoreTransaction, leadingTo data: SyncData) throws

  /// An operation that makes every transaction so far survive a power cut; `nil` if nothing has to be done.
  func pendingSync() -> (@Sendable () throws -> Void)?
}

/// A store that holds everything in memory and hands each transaction to a medium.
///
/// Unsaved changes are known to this handle only, so they go with it.
final class JournaledSyncStore: SyncStore {
  private let contents: StoreContents
  private let medium: any StoreMedium
  /// The unsaved changes.
  private var transaction = StoreTransaction()

  /// A handle that begins with what the medium holds.
  init(_ contents: StoreContents, medium: any StoreMedium) {
    self.contents = contents
    self.medium = medium
  }

  deinit { contents.forget(ObjectIdentifier(self)) }

  func pendingCount() -> Int { read { $0.queue.count } }

  func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    // In one use: the number of a place is no one else's.
    try use { view in
      let changes = view.data.queue.changes(adding: mutation)
      for change in changes {
        switch change {
        case .added(let mutation):
          try apply(.queued(mutation, sequence: view.data.queue.nextSequence), to: &view)
        case .replaced(let mutation):
          guard let sequence = view.data.queue.sequence(of: mutation.id) else { continue }
          try apply(.queued(mutation, sequence: sequence), to: &view)
        case .removed(let mutation): try apply(.unqueued(id: mutation.id), to: &view)
        case .ignored: break
        }
      }
      return changes
    }
  }

  func nextMutations(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    read { $0.queue.next(after: position, limit: limit) }
  }

  func mutations(of entity: EntityKey) -> [Mutation] { read { $0.queue.mutations(of: entity) } }

  func mutations() -> [Mutation] { read { $0.queue.all.map(\.mutation) } }

  func mutation(_ id: String) -> Mutation? { read { $0.queue[id] } }

  func update(_ mutation: Mutation) throws {
    guard let sequence = read({ $0.queue.sequence(of: mutation.id) }) else { return }
    try apply(.queued(mutation, sequence: sequence))
  }

  func removeMutation(_ id: String) throws {
    guard read({ $0.queue.sequence(of: id) }) != nil else { return }
    try apply(.unqueued(id: id))
  }

  func removeAllMutations() throws -> [Mutation] {
    let removed = mutations()
    for mutation in removed { try apply(.unqueued(id: mutation.id)) }
    return removed
  }

  func bury(_ mutation: Mutation) throws { try apply(.buried(mutation)) }

  func deadLetters() -> [Mutation] { read { $0.deadLetters } }

  func deadLetters(of entity: EntityKey) -> [Mutation] { read { $0.deadLetters(of: entity) } }

  func deadLetter(_ id: String) -> Mutation? { read { $0.deadLetter(id) } }

  func removeDeadLetter(_ id: String) throws {
    guard deadLetter(id) != nil else { return }
    try apply(.noDeadLetter(id: id))
  }

  func entity(_ key: EntityKey) -> SyncEntity? { read { $0[key] } }

  func upsert(_ entity: SyncEntity) throws { try apply(.row(entity)) }

  func removeEntity(_ key: EntityKey) throws {
    guard entity(key) != nil else { return }
    try apply(.noRow(key))
  }

  func entities(of kind: String) -> [SyncEntity] { read { $0.rows(of: kind) } }

  func unqueuedPendingEntities() -> [SyncEntity] { read { $0.unqueuedPendingRows } }

  func entities(waitingFor target: EntityKey) -> [SyncEntity] { read { $0.rows(waitingFor: target) } }

  func quarantine() -> [RemoteChange] { read { $0.quarantined.all } }

  func quarantine(of entity: EntityKey) -> [RemoteChange] { read { $0.quarantined[entity] } }

  func addToQuarantine(_ change: RemoteChange) throws { try apply(.quarantined(change)) }

  func removeQuarantine(of entity: EntityKey) throws {
    if !quarantine(of: entity).isEmpty { try apply(.unquarantined(entity)) }
  }

  func removeQuarantine(of kind: String) throws {
    if read({ !$0.quarantined.entities(of: kind).isEmpty }) { try apply(.unquarantinedKind(kind)) }
  }

  func fetchedKinds() -> Set<String>? { read { $0.fetchedKinds.map(Set.init) } }

  func setFetchedKinds(_ kinds: Set<String>) throws {
    let sorted = kinds.sorted()
    if read({ $0.fetchedKinds }) != sorted { try apply(.fetchedKinds(sorted)) }
  }

  func cursor() -> SyncCursor? { read { $0.cursor } }

  func setCursor(_ cursor: SyncCursor?) throws {
    // Equal texts may be other bytes, which only the server understands.
    let old = self.cursor()
    if old != cursor || old?.text.map({ Array($0.utf8) }) != cursor?.text.map({ Array($0.utf8) }) {
      try apply(.cursor(cursor))
    }
  }

  func erase() throws { try apply(.erased) }

  func pendingSync() -> (@Sendable () throws -> Void)? { medium.pendingSync() }

  func save() throws {
    try use { view in
      try medium.save(transaction, leadingTo: view.data)
      view.keep()
    }
    transaction.clear()
  }

  func rollback() -> Bool {
    use { $0.takeBack() }
    transaction.clear()
    return true
  }

  private func read<Value: Sendable>(_ body: (SyncData) -> Value) -> Value {
    use { body($0.data) }
  }

  private func apply(_ change: StoreChange) throws {
    try use { try apply(change, to: &$0) }
  }

  private func apply(_ change: StoreChange, to view: inout StoreContents.View) throws {
    try transaction.add(change)
    view.apply(change)
  }

  private func use<Value: Sendable>(_ body: (inout StoreContents.View) throws -> Value) rethrows -> Value {
    try contents.use(ObjectIdentifier(self), unsaved: { transaction.changes }, body)
  }
}
