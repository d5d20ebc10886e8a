/// How a row merges what the server sends with what was edited locally (docs/sync-engine.md, "Pull, bootstrap and merge").
enum RowMerge {
  /// What became of one change of the feed.
  enum Outcome: Hashable {
    /// The row is written.
    case upsert(SyncEntity)
    /// The row is removed.
    case remove
    /// Nothing is done: the entity has a delete waiting, or was gone already.
    case skip
    /// The change cannot be applied now: it edits an entity that is not here.
    case quarantine
  }

  /// Decides on a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - row: The local row.
  ///   - edited: The members that waiting mutations of the entity set; they keep their local values.
  ///   - hasPendingDelete: Whether the entity's deletion waits to be pushed.
  static func outcome(
    of change: RemoteChange, on row: SyncEntity?, edited: Set<String>, hasPendingDelete: Bool
  ) -> Outcome {
    switch change.operation {
    case .delete: return row == nil ? .skip : .remove
    case .create, .update:
      if hasPendingDelete { return .skip }
      guard row != nil || change.operation == .create else { return .quarantine }
      return .upsert(merged(change.members, into: row, key: change.entity, edited: edited))
    }
  }

  /// The row with the members that are present in a change: an explicit null clears, what is absent stays.
  static func merged(
    _ members: [String: SyncValue], into row: SyncEntity?, key: EntityKey, edited: Set<String>
  ) -> SyncEntity {
    var result = row ?? SyncEntity(key: key, members: [:])
    for (name, value) in members where !edited.contains(name) {
      result.members[name] = value == .null ? nil : value
    }
    if edited.isEmpty { result.status = .synced }
    return result
  }
}

extension RowMerge {
  /// The members that waiting creates and updates set.
  static func edited(by mutations: [Mutation]) -> Set<String> {
    mutations.reduce(into: []) { names, mutation in
      guard mutation.operation != .delete, let members = MemberPayload.members(of: mutation.payload) else {
        return
      }
      names.formUnion(members.keys)
    }
  }
}
