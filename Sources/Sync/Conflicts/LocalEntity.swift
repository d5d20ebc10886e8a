import Essentials

/// One entity as known locally: its row, its pending mutations and its dead letters.
///
/// The row is always the server's entity with the local changes laid over it, oldest first. News from the server goes
/// beneath them, so no local edit disappears from view.
struct LocalEntity {
  let key: EntityKey
  var row: SyncEntity?
  /// Pending mutations, oldest first.
  var waiting: [Mutation]
  /// Dead letters, oldest first.
  var dead: [Mutation]
  var conflicts: [ResolvedConflict] = []
  /// Mutations that the feed has confirmed.
  var settled: [Mutation] = []
  /// A payload whose members are known.
  var known: (payload: Data, members: [String: SyncValue])?
  private let before: [Mutation]
  private let deadBefore: [Mutation]

  init(_ key: EntityKey, in store: any SyncStore) throws {
    self.key = key
    row = try store.entity(key)
    waiting = try store.mutations(of: key)
    dead = try store.deadLetters(of: key)
    (before, deadBefore) = (waiting, dead)
  }

  /// The index of the last pending delete.
  var waitingDelete: Int? { waiting.lastIndex { $0.operation == .delete } }

  /// Pending edits to lay over the server's entity: a delete ends one life of the entity, and mutations behind it
  /// belong to the next.
  var edits: ArraySlice<Mutation> { waiting[(waitingDelete.map { $0 + 1 } ?? 0)...] }

  /// Members set by pending changes; null for a cleared one.
  var edited: [String: SyncValue] { Self.members(of: edits) }

  private var layers: [Mutation] { dead.filter { $0.operation != .delete } + edits }

  /// The server's members; `nil` if the server is not known to have the entity.
  var server: [String: SyncValue]? {
    if let members = row?.basis.members { return members }
    let layers = layers
    guard !layers.isEmpty else {
      return waitingDelete == nil && row?.basis.isLocalOnly == false ? row?.members : nil
    }
    if waitingDelete != nil || layers.contains(where: { $0.operation == .create }) { return nil }
    // Older stores did not record the server's members: those without a local edit are the server's.
    let names = Self.members(of: layers[...])
    return row?.members.filter { names[$0.key] == nil }
  }

  /// Lays local changes over the server's members; without server members, only a create makes a row.
  mutating func lay(over server: [String: SyncValue]?) {
    let layers = layers
    guard server != nil || layers.contains(where: { $0.operation == .create }) else { return row = nil }
    var new = row ?? SyncEntity(key: key, members: [:])
    let isKnown = layers.count == 1 && layers[0].payload == known?.payload
    new.members = (server ?? [:]).setting(
      (isKnown ? known?.members : nil) ?? Self.members(of: layers[...]))
    new.basis.members = layers.isEmpty ? nil : server
    if server != nil || !layers.isEmpty { new.basis.isLocalOnly = false }
    new.status = !edits.isEmpty ? .pending : dead.isEmpty ? .synced : .failed
    row = new
  }

  /// Follows what a change did to the queue of the store.
  mutating func follow(_ changes: [QueueChange]) {
    for change in changes {
      switch change {
      case .added(let mutation): waiting.append(mutation)
      case .replaced(let mutation): waiting = waiting.map { $0.id == mutation.id ? mutation : $0 }
      case .removed(let mutation): waiting.removeAll { $0.id == mutation.id }
      case .ignored: break
      }
    }
  }

  /// Writes the differences; `upsert` writes the row because it knows its links.
  func write(to store: any SyncStore, upsert: (SyncEntity, any SyncStore) throws -> Void) throws {
    var left = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    for mutation in waiting where left.removeValue(forKey: mutation.id) != mutation {
      try store.update(mutation)
    }
    for id in left.keys.sorted() { try store.removeMutation(id) }
    for letter in deadBefore where !dead.contains(letter) {
      if let less = dead.first(where: { $0.id == letter.id }) {
        try store.bury(less)
      } else {
        try store.removeDeadLetter(letter.id)
      }
    }
    if let row { try upsert(row, store) } else { try store.removeEntity(key) }
  }

  /// Dead letters to delete.
  var forgotten: [Mutation] {
    let ids = Set(dead.map(\.id))
    return deadBefore.filter { !ids.contains($0.id) }
  }

  /// Mutations that are no longer pending.
  var removed: [Mutation] {
    let ids = Set(waiting.map(\.id))
    return before.filter { !ids.contains($0.id) }
  }

  /// Pending mutations that have changed in a way that is recorded.
  var rewritten: [Mutation] {
    let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    return waiting.filter { mutation in old[mutation.id].map { !mutation.isRecorded(as: $0) } ?? true }
  }

  /// Members set by the mutations; later ones override earlier ones.
  static func members(of mutations: ArraySlice<Mutation>) -> [String: SyncValue] {
    mutations.reduce(into: [:]) { members, mutation in
      members.merge(MemberPayload.members(of: mutation.payload) ?? [:]) { $1 }
    }
  }
}

extension Mutation {
  fileprivate func isRecorded(as other: Mutation) -> Bool {
    operation == other.operation && payload.count == other.payload.count && attempts == other.attempts
      && lastError == other.lastError && notBefore == other.notBefore
  }
}

extension [String: SyncValue] {
  /// A copy with members overridden: an explicit null clears, absent ones stay.
  func setting(_ members: [String: SyncValue]) -> [String: SyncValue] {
    var result = self
    for (name, value) in members { result[name] = value == .null ? nil : value }
    return result
  }

  /// The members with these names; null for missing ones.
  func picking(_ names: some Sequence<String>) -> [String: SyncValue] {
    Dictionary(names.map { ($0, self[$0] ?? .null) }) { first, _ in first }
  }

  /// True if all of `members` have these values here.
  func holds(_ members: [String: SyncValue]) -> Bool {
    members.allSatisfy { (self[$0.key] ?? .null) == $0.value }
  }
}
