import SimulationKit
import Sync

/// A call that changes the contents of a store, or saves or discards changes.
enum StoreStep {
  case enqueue(Mutation), update(Mutation), removeMutation(String), removeAllMutations
  case bury(Mutation), removeDeadLetter(String)
  case upsert(SyncEntity), removeEntity(EntityKey)
  case addToQuarantine(RemoteChange), removeQuarantine(EntityKey), removeQuarantineOfKind(String)
  case setCursor(SyncCursor?), setFetchedKinds(Set<String>)
  case erase
  /// Saves; if true, also syncs to survive a power cut.
  case save(Bool)
  /// Drops the handle and opens a new one.
  case reopen
  case rollback

  /// The return value of a call.
  enum Answer: Hashable {
    case nothing
    case changes([QueueChange])
    case mutations([Mutation])
  }

  /// The entity of the call.
  var entity: EntityKey? {
    switch self {
    case .enqueue(let mutation), .update(let mutation), .bury(let mutation): mutation.entity
    case .upsert(let row): row.key
    case .removeEntity(let key), .removeQuarantine(let key): key
    case .addToQuarantine(let change): change.entity
    default: nil
    }
  }

  /// The id of the call's mutation.
  var mutation: String? {
    switch self {
    case .enqueue(let mutation), .update(let mutation), .bury(let mutation): mutation.id
    case .removeMutation(let id), .removeDeadLetter(let id): id
    default: nil
    }
  }

  /// Makes the call; saving, reopening and rolling back are handled elsewhere.
  func perform(on store: any SyncStore) throws -> Answer {
    switch self {
    case .enqueue(let mutation): return .changes(try store.enqueue(mutation))
    case .update(let mutation): try store.update(mutation)
    case .removeMutation(let id): try store.removeMutation(id)
    case .removeAllMutations: return .mutations(try store.removeAllMutations())
    case .bury(let mutation): try store.bury(mutation)
    case .removeDeadLetter(let id): try store.removeDeadLetter(id)
    case .upsert(let row): try store.upsert(row)
    case .removeEntity(let key): try store.removeEntity(key)
    case .addToQuarantine(let change): try store.addToQuarantine(change)
    case .removeQuarantine(let key): try store.removeQuarantine(of: key)
    case .removeQuarantineOfKind(let kind): try store.removeQuarantine(of: kind)
    case .setCursor(let cursor): try store.setCursor(cursor)
    case .setFetchedKinds(let kinds): try store.setFetchedKinds(kinds)
    case .erase: try store.erase()
    case .save, .reopen, .rollback: break
    }
    return .nothing
  }
}

extension StoreStep: CustomStringConvertible {
  /// A short description of the call.
  var description: String {
    switch self {
    case .enqueue(let mutation): "enqueue \(mutation.operation) \(mutation.id) of \(mutation.entity.words)"
    case .update(let mutation): "update \(mutation.operation) \(mutation.id) of \(mutation.entity.words)"
    case .removeMutation(let id): "removeMutation \(id)"
    case .removeAllMutations: "removeAllMutations"
    case .bury(let mutation): "bury \(mutation.id) of \(mutation.entity.words)"
    case .removeDeadLetter(let id): "removeDeadLetter \(id)"
    case .upsert(let row): "upsert \(row.key.words)"
    case .removeEntity(let key): "removeEntity \(key.words)"
    case .addToQuarantine(let change): "addToQuarantine \(change.operation) of \(change.entity.words)"
    case .removeQuarantine(let key): "removeQuarantine of \(key.words)"
    case .removeQuarantineOfKind(let kind): "removeQuarantine of kind \(kind)"
    case .setCursor(let cursor): "setCursor \(cursor?.description.debugDescription ?? "nil")"
    case .setFetchedKinds(let kinds): "setFetchedKinds \(kinds.sorted())"
    case .erase: "erase"
    case .save(let isSynced): isSynced ? "save, pendingSync" : "save"
    case .reopen: "a new handle"
    case .rollback: "rollback"
    }
  }
}

extension EntityKey {
  /// The key in words, with invisible characters escaped.
  var words: String {
    "\(kind) \"\(id.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
  }

  /// Orders by the bytes of ids, then of kinds.
  static func inOrder(_ left: EntityKey, _ right: EntityKey) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8)
      ? left.kind.utf8.lexicographicallyPrecedes(right.kind.utf8)
      : left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }
}
