/// The local database: rows, the queue of mutations, dead letters and quarantined changes.
///
/// Keys are compared and sorted by their bytes (``EntityKey``): rows in id order are sorted by the bytes of their ids,
/// those with the same id by the bytes of their kinds. Every value is read back exactly as written, including optional
/// members and ``SyncEntity/basis``. `StoreConformance` in the module SyncSimulation tests a store against all of this.
///
/// A store lives in the engine's isolation and is opened there by its ``SyncStoreFactory``; it need not be `Sendable`.
/// Nothing becomes durable before ``save()``: everything between two saves is one transaction, and unsaved changes are
/// lost with the handle. Reads see the handle's own unsaved changes.
///
/// Every method throws ``SyncError``; ``SyncError/Code/storeUnavailable`` means that the file cannot be opened: the
/// engine then drops the handle and retries once with a new one.
public protocol SyncStore: AnyObject {
  /// The number of pending mutations.
  func pendingCount() throws -> Int

  /// Adds a change by the queue rules (docs/sync-engine.md, queue rules 1 and 2), and returns their effects.
  ///
  /// The rules are ``QueueRules/changes(adding:to:)``. A mutation whose id is already pending is ignored.
  func enqueue(_ mutation: Mutation) throws -> [QueueChange]

  /// The next mutations of one lane, in push order.
  ///
  /// A lane has one kind and one operation. The cost depends on `limit`, not on the length of the queue. A mutation
  /// with an older pending one of the same entity is left out, since it must not overtake.
  ///
  /// - Parameters:
  ///   - position: The last mutation handled by this run, or `nil` to begin.
  ///   - limit: The maximum number of mutations; all are of one lane.
  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation]

  /// All pending mutations of one entity, oldest first.
  func mutations(of entity: EntityKey) throws -> [Mutation]

  /// All pending mutations, in order of creation.
  func mutations() throws -> [Mutation]

  /// The pending mutation with that id.
  func mutation(_ id: String) throws -> Mutation?

  /// Replaces the pending mutation with the same id; does nothing if there is none.
  ///
  /// It keeps its number in the order of creation. The operation may differ, and with it the lane.
  func update(_ mutation: Mutation) throws

  /// Removes a pending mutation; does nothing if there is none.
  func removeMutation(_ id: String) throws

  /// Removes all pending mutations and returns them in order of creation.
  func removeAllMutations() throws -> [Mutation]

  /// Moves a mutation from the queue to the dead letters, as given; a dead letter with that id is replaced in its
  /// place.
  func bury(_ mutation: Mutation) throws

  /// The dead letters, oldest first.
  func deadLetters() throws -> [Mutation]

  /// The dead letters of one entity, oldest first; the cost depends on their number.
  func deadLetters(of entity: EntityKey) throws -> [Mutation]

  /// The dead letter with that id.
  func deadLetter(_ id: String) throws -> Mutation?

  /// Deletes a dead letter.
  func removeDeadLetter(_ id: String) throws

  /// The row with that key.
  func entity(_ key: EntityKey) throws -> SyncEntity?

  /// Writes a row.
  func upsert(_ entity: SyncEntity) throws

  /// Removes a row; does nothing if there is none.
  func removeEntity(_ key: EntityKey) throws

  /// All rows of a kind, in id order.
  func entities(of kind: String) throws -> [SyncEntity]

  /// The rows with status pending and no mutation, in id order; the cost depends on their number.
  func unqueuedPendingEntities() throws -> [SyncEntity]

  /// The rows that refer to an entity with the member of ``EntityKind/link`` while ``SyncEntity/linkedTo`` is `nil`, in
  /// id order; the cost depends on their number.
  func entities(waitingFor target: EntityKey) throws -> [SyncEntity]

  /// All quarantined changes, grouped by entity, in order of arrival; entities are ordered by their oldest change.
  func quarantine() throws -> [RemoteChange]

  /// The quarantined changes of an entity, oldest first; the cost depends on their number.
  func quarantine(of entity: EntityKey) throws -> [RemoteChange]

  /// Quarantines a change that cannot be applied yet; duplicates are ignored.
  func addToQuarantine(_ change: RemoteChange) throws

  /// Deletes the quarantined changes of an entity.
  func removeQuarantine(of entity: EntityKey) throws

  /// Deletes the quarantined changes of all entities of a kind.
  func removeQuarantine(of kind: String) throws

  /// The position up to which the feed was applied; `nil` before the first bootstrap, after damage, and after a resync
  /// request.
  func cursor() throws -> SyncCursor?

  /// Replaces the cursor, in the transaction of the rows that it belongs to.
  func setCursor(_ cursor: SyncCursor?) throws

  /// The names of the kinds that were fetched completely; `nil` if the store does not know.
  func fetchedKinds() throws -> Set<String>?

  /// Replaces the names of the kinds that were fetched completely.
  func setFetchedKinds(_ kinds: Set<String>) throws

  /// Removes everything: mutations, dead letters, rows of all kinds, quarantined changes, cursor and kinds.
  func erase() throws

  /// Commits everything since the last save, all or nothing: from then on it survives the death of the process, and a
  /// power cut once ``pendingSync()`` was carried out.
  func save() throws

  /// An operation that makes everything saved so far survive a power cut; `nil` if it does already. Contents found in
  /// the files at opening count as not synced.
  ///
  /// The engine calls it on another thread while saves continue, so that many callers share one disk sync. After an
  /// error, the state of the disk is unknown; the engine calls ``save()`` and this once more, which must then write
  /// everything again.
  func pendingSync() -> (@Sendable () throws -> Void)?

  /// Discards everything since the last save, so that the handle is as if newly opened.
  ///
  /// - Returns: Whether that worked; if not, the engine drops the handle and opens a new one.
  func rollback() -> Bool

  /// Called before changes are queued: keeps room for the answers to them.
  ///
  /// - Parameter bytes: The size of the changes' payloads.
  /// - Throws: ``SyncError`` if the disk has no such room: the changes are refused.
  func keepRoom(for bytes: Int) throws

  /// Gives up the room that was kept, after a write that failed because the disk is full and was rolled back.
  ///
  /// - Returns: Whether there is more room now: the engine then repeats the write.
  func useRoom() -> Bool
}

extension SyncStore {
  /// Nothing to do: saved changes are on the disk.
  public func pendingSync() -> (@Sendable () throws -> Void)? { nil }

  /// Nothing to do.
  public func keepRoom(for bytes: Int) throws {}

  /// Nothing was kept.
  public func useRoom() -> Bool { false }

  /// Not supported: the engine opens a new handle.
  public func rollback() -> Bool { false }
}

/// Opens stores in the engine's isolation.
public protocol SyncStoreFactory: Sendable {
  /// Opens the store.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeUnavailable`` if it cannot be opened.
  func makeStore() throws -> any SyncStore
}

/// A position in the push order; opaque to the engine, comparable only within one queue.
///
/// Lanes are numbered by ``QueueRules/lane(of:in:)``; within a lane, mutations are ordered by sequence, which is their
/// order of creation. A handle never reuses a sequence: a position may outlive its mutation, and later mutations come
/// after it.
public struct QueuePosition: Hashable, Sendable {
  /// The index of the lane in push order.
  public let lane: Int
  /// The mutation's number in the order of creation.
  public let sequence: Int

  /// Creates a position.
  public init(lane: Int, sequence: Int) {
    self.lane = lane
    self.sequence = sequence
  }
}

/// A pending mutation with its position.
public struct QueuedMutation: Hashable, Sendable {
  /// The mutation.
  public let mutation: Mutation
  /// The position in push order.
  public let position: QueuePosition

  /// Creates a mutation at a position.
  public init(mutation: Mutation, position: QueuePosition) {
    self.mutation = mutation
    self.position = position
  }
}

/// The effect of adding a change to the queue.
public enum QueueChange: Hashable, Sendable {
  /// A mutation was added.
  case added(Mutation)
  /// A pending mutation has another payload now, and keeps its key unless the server has refused it before.
  case replaced(Mutation)
  /// The change was already there; nothing happened.
  case ignored(Mutation)
  /// A pending mutation was removed because a delete made it pointless.
  case removed(Mutation)
}
