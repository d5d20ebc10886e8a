import Essentials

/// One entity as it is here: its row, what waits for the server, and what was abandoned.
///
/// The row is always the server's entity with the local changes laid over it, the oldest first; so whatever becomes known
/// of the server goes beneath them and nothing that was edited is lost from sight.
struct LocalEntity {
  let key: EntityKey
  /// The row; `nil` where there is none.
  var row: SyncEntity?
  /// The waiting mutations, oldest first.
  var waiting: [Mutation]
  /// The given-up mutations, oldest first.
  var dead: [Mutation]
  /// The resolved conflicts.
  var conflicts: [ResolvedConflict] = []
  /// Mutations that the feed has shown to be on the server.
  var settled: [Mutation] = []
  private let before: [Mutation]
  private let deadBefore: [Mutation]

  init(_ key: EntityKey, in store: any SyncStore) throws {
    self.key = key
    row = try store.entity(key)
    waiting = try store.mutations(of: key)
    dead = try store.deadLetters(of: key)
    (before, deadBefore) = (waiting, dead)
  }

  /// The deletion that waits.
  var waitingDelete: Int? { waiting.lastIndex { $0.operation == .delete } }

  /// Waiting edits to be laid over the server's entity: a delete ends one life, and what is behind it belongs to the
  /// next.
  var edits: ArraySlice<Mutation> { waiting[(waitingDelete.map { $0 + 1 } ?? 0)...] }

  /// The members that waiting changes set; a cleared one is null.
  var edited: [String: SyncValue] { Self.members(of: edits) }

  private var layers: [Mutation] { dead.filter { $0.operation != .delete } + edits }

  /// The server's members; `nil` where it is not known to have the entity.
  var server: [String: SyncValue]? {
    if let members = row?.basis.members { return members }
    let layers = layers
    guard !layers.isEmpty else {
      return waitingDelete == nil && row?.basis.isLocalOnly == false ? row?.members : nil
    }
    if waitingDelete != nil || layers.contains(where: { $0.operation == .create }) { return nil }
    // Older stores did not say what lies beneath: what no one edits is the server's.
    let names = Self.members(of: layers[...])
    return row?.members.filter { names[$0.key] == nil }
  }

  /// Lays what there is here over the server's members; without these only a create makes a row.
  mutating func lay(over server: [String: SyncValue]?) {
    let layers = layers
    guard server != nil || layers.contains(where: { $0.operation == .create }) else { return row = nil }
    var new = row ?? SyncEntity(key: key, members: [:])
    new.members = (server ?? [:]).setting(Self.members(of: layers[...]))
    new.basis.members = layers.isEmpty ? nil : server
    if server != nil || !layers.isEmpty { new.basis.isLocalOnly = false }
    new.status = !edits.isEmpty ? .pending : dead.isEmpty ? .synced : .failed
    row = new
  }

  /// Writes what has changed; the row by `upsert`, which knows its links.
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

  /// The dead letters that are none any more.
  var forgotten: [Mutation] {
    let ids = Set(dead.map(\.id))
    return deadBefore.filter { !ids.contains($0.id) }
  }

  /// The mutations that wait no longer.
  var removed: [Mutation] {
    let ids = Set(waiting.map(\.id))
    return before.filter { !ids.contains($0.id) }
  }

  /// The mutations that wait as another change than before, as far as a record tells of them.
  var rewritten: [Mutation] {
    let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    return waiting.filter { mutation in old[mutation.id].map { !mutation.isRecorded(as: $0) } ?? true }
  }

  /// Members set by mutations, one over the other.
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
  /// The same with members written over: an explicit null clears, what is absent stays.
  func setting(_ members: [String: SyncValue]) -> [String: SyncValue] {
    var result = self
    for (name, value) in members { result[name] = value == .null ? nil : value }
    return result
  }

  /// The members of these names, those that are not there as null.
  func picking(_ names: some Sequence<String>) -> [String: SyncValue] {
    Dictionary(names.map { ($0, self[$0] ?? .null) }) { first, _ in first }
  }

  /// True if all of `members` are so here.
  func holds(_ members: [String: SyncValue]) -> Bool {
    members.allSatisfy { (self[$0.key] ?? .null) == $0.value }
  }
}
