/// The local database: rows, the queue of mutations, dead letters and what could not be applied yet.
///
/// Keys are told apart by their bytes (``EntityKey``), and so is their order: rows in order of ids are sorted by the bytes
/// of their ids, those with one id by the bytes of their kinds. Whatever is written is read as it was, every optional part
/// and ``SyncEntity/basis`` included. `StoreConformance` of the module SyncSimulation holds a store against all of this.
///
/// A store lives inside the engine's serialization and is made there by its ``SyncStoreFactory``; it need not be
/// `Sendable`. Nothing it is told becomes durable before ``save()``: everything between two saves is one transaction,
/// and what was not saved is gone with the handle. A later read of the same handle sees unsaved changes.
///
/// Every method throws ``SyncError``; ``SyncError/Code/storeUnavailable`` means that the file cannot be opened: the
/// engine then drops the handle and tries once more with a new one.
public protocol SyncStore: AnyObject {
  /// How many mutations wait.
  func pendingCount() throws -> Int

  /// Adds a change by the rules of the queue (docs/sync-engine.md, queue rules 1 and 2), and says what that did to it.
  ///
  /// The rules are ``QueueRules/changes(adding:to:)``. A mutation whose id waits already is ignored.
  func enqueue(_ mutation: Mutation) throws -> [QueueChange]

  /// The next mutations of one lane, in push order.
  ///
  /// A lane has one kind and one operation. The cost depends on `limit`, not on the length of the queue. A mutation
  /// whose entity has an older one waiting is left out, for it must not overtake.
  ///
  /// - Parameters:
  ///   - position: The last mutation that this run has dealt with, or `nil` to begin.
  ///   - limit: How many at most; what comes back is of one lane.
  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation]

  /// All waiting mutations of one entity, oldest first.
  func mutations(of entity: EntityKey) throws -> [Mutation]

  /// All waiting mutations, in order of creation.
  func mutations() throws -> [Mutation]

  /// The waiting mutation of that id.
  func mutation(_ id: String) throws -> Mutation?

  /// Replaces a waiting mutation by one with the same id; nothing happens when it is gone.
  ///
  /// It keeps its number in the order of creation. Its operation may be another one, and so its lane.
  func update(_ mutation: Mutation) throws

  /// Removes a waiting mutation; nothing happens when it is gone.
  func removeMutation(_ id: String) throws

  /// Removes all waiting mutations and returns them in order of creation.
  func removeAllMutations() throws -> [Mutation]

  /// Takes a mutation out of the queue and keeps it as a dead letter, as given; a dead letter of that id is replaced in
  /// its place.
  func bury(_ mutation: Mutation) throws

  /// The mutations that were abandoned, oldest first.
  func deadLetters() throws -> [Mutation]

  /// The mutations of one entity that were abandoned, oldest first; the cost depends on their number.
  func deadLetters(of entity: EntityKey) throws -> [Mutation]

  /// The dead letter of that id.
  func deadLetter(_ id: String) throws -> Mutation?

  /// Forgets a dead letter.
  func removeDeadLetter(_ id: String) throws

  /// The row of that key.
  func entity(_ key: EntityKey) throws -> SyncEntity?

  /// Writes a row.
  func upsert(_ entity: SyncEntity) throws

  /// Removes a row; nothing happens when it is gone.
  func removeEntity(_ key: EntityKey) throws

  /// All rows of a kind, in order of ids.
  func entities(of kind: String) throws -> [SyncEntity]

  /// The rows with status pending and no waiting mutation, in order of ids; the cost depends on their number.
  func unqueuedPendingEntities() throws -> [SyncEntity]

  /// The rows that name an entity by the member of ``EntityKind/link`` while ``SyncEntity/linkedTo`` is `nil`, in order of
  /// ids; the cost depends on their number.
  func entities(waitingFor target: EntityKey) throws -> [SyncEntity]

  /// All changes that could not be applied, those of one entity together, in order of arrival: of two entities that one
  /// comes first whose oldest change arrived first.
  func quarantine() throws -> [RemoteChange]

  /// The changes of an entity that could not be applied, oldest first; the cost depends on their number.
  func quarantine(of entity: EntityKey) throws -> [RemoteChange]

  /// Keeps a change that could not be applied; one that is kept already is not kept twice.
  func addToQuarantine(_ change: RemoteChange) throws

  /// Forgets the changes of an entity that could not be applied.
  func removeQuarantine(of entity: EntityKey) throws

  /// Forgets the changes of all entities of a kind that could not be applied.
  func removeQuarantine(of kind: String) throws

  /// How far the feed was applied; `nil` before the first bootstrap, after damage, and after a resync was asked for.
  func cursor() throws -> SyncCursor?

  /// Replaces the cursor, in the transaction of the rows that it stands for.
  func setCursor(_ cursor: SyncCursor?) throws

  /// The names of the kinds that were fetched whole; `nil` where the store does not know.
  func fetchedKinds() throws -> Set<String>?

  /// Replaces the names of the kinds that were fetched whole.
  func setFetchedKinds(_ kinds: Set<String>) throws

  /// Removes everything: mutations, dead letters, rows of all kinds, what could not be applied, cursor and kinds.
  func erase() throws

  /// Keeps everything since the last save, all of it or nothing: from here on it survives the death of the process, and
  /// a cut of power once ``pendingSync()`` was carried out.
  func save() throws

  /// An operation that makes everything saved so far survive a power cut; `nil` if all of it does already, which
  /// no one knows of what was found in the files at opening.
  ///
  /// The engine calls it on another thread and saves go on meanwhile: so the changes of many callers share one wait for
  /// the disk. After an error no one knows what is on the disk; the engine calls
  /// ``save()`` and this once more, which then have to write everything again.
  func pendingSync() -> (@Sendable () throws -> Void)?

  /// Forgets everything since the last save, so that the handle is as if it had just been opened.
  ///
  /// - Returns: Whether that was done; if not, the engine drops the handle and opens a new one.
  func rollback() -> Bool
}

extension SyncStore {
  /// Nothing is left to do: what was saved is on the disk.
  public func pendingSync() -> (@Sendable () throws -> Void)? { nil }

  /// Nothing is done: the engine opens a new handle.
  public func rollback() -> Bool { false }
}

/// Makes stores inside the engine's serialization.
public protocol SyncStoreFactory: Sendable {
  /// Opens the store.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/storeUnavailable`` when it cannot be opened.
  func makeStore() throws -> any SyncStore
}

/// A place in the push order; opaque to the engine, comparable only within one queue.
///
/// Lanes are numbered by ``QueueRules/lane(of:in:)``; within one the order is that of the sequence, which is that of
/// creation. A handle never gives a sequence twice: a place may outlive its mutation, and what is added later comes after
/// it.
public struct QueuePosition: Hashable, Sendable {
  /// The place of the lane in push order.
  public let lane: Int
  /// The number of the mutation in the order of creation.
  public let sequence: Int

  /// A place.
  public init(lane: Int, sequence: Int) {
    self.lane = lane
    self.sequence = sequence
  }
}

/// A waiting mutation with its place.
public struct QueuedMutation: Hashable, Sendable {
  /// The mutation.
  public let mutation: Mutation
  /// Its place in the push order.
  public let position: QueuePosition

  /// A mutation at a place.
  public init(mutation: Mutation, position: QueuePosition) {
    self.mutation = mutation
    self.position = position
  }
}

/// The effect of adding a change to the queue.
public enum QueueChange: Hashable, Sendable {
  /// A mutation was added.
  case added(Mutation)
  /// A waiting mutation has another payload now, and keeps its key unless the server has refused it before.
  case replaced(Mutation)
  /// The change was there already; nothing happened.
  case ignored(Mutation)
  /// A waiting mutation is gone, because a delete made it pointless.
  case removed(Mutation)
}
