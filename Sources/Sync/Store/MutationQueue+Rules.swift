extension MutationQueue {
  /// What adding a change does to the queue, without doing it: queue rules 1 and 2 of docs/sync-engine.md.
  ///
  /// | waits for the entity | create | update | delete |
  /// |---|---|---|---|
  /// | nothing | added | added | added |
  /// | create, never attempted | ignored | folded into it | both gone, nothing is sent |
  /// | create, perhaps sent | ignored | added behind it | create gone, delete added |
  /// | update, never sent | added behind it | folded into it | update gone, delete added |
  /// | update, perhaps sent | added behind it | added behind it | update gone, delete added |
  /// | delete | added behind it | added behind it | ignored |
  /// | delete, then create | ignored | folded into the create | create gone, delete stays |
  package func changes(adding mutation: Mutation) -> [QueueChange] {
    guard self[mutation.id] == nil else { return [.ignored(mutation)] }
    let waiting = mutations(of: mutation.entity)
    switch mutation.operation {
    case .create: return [isCreateWaiting(in: waiting) ? .ignored(mutation) : .added(mutation)]
    case .update: return [fold(mutation, into: waiting.last).map(QueueChange.replaced) ?? .added(mutation)]
    case .delete: return changes(deleting: mutation, waiting: waiting)
    }
  }

  /// Whether the entity is going to exist by what waits: a create that is followed by a delete says the opposite.
  private func isCreateWaiting(in waiting: [Mutation]) -> Bool {
    waiting.last { $0.operation != .update }?.operation == .create
  }

  private func changes(deleting mutation: Mutation, waiting: [Mutation]) -> [QueueChange] {
    let pointless = waiting.filter { $0.operation != .delete }
    let isUnknownToServer = waiting.first.map { $0.operation == .create && !$0.wasAttempted } ?? false
    let isDeleteWaiting = pointless.count < waiting.count
    return pointless.map(QueueChange.removed)
      + [isUnknownToServer || isDeleteWaiting ? .ignored(mutation) : .added(mutation)]
  }

  /// The waiting mutation with the members of a newer update written over its own, or `nil` where they must not meet.
  ///
  /// What the newer one does not name stays: it was set as well and nobody else sends it. A payload that may have been
  /// sent must not change under its key, and one that cannot be read fails on its own.
  private func fold(_ update: Mutation, into waiting: Mutation?) -> Mutation? {
    guard var folded = waiting, folded.operation != .delete, !folded.mayHaveBeenSent,
      let old = MemberPayload.members(of: folded.payload),
      let new = MemberPayload.members(of: update.payload),
      let payload = MemberPayload.payload(of: old.merging(new) { $1 })
    else { return nil }
    folded.payload = payload
    return folded
  }
}

extension Mutation {
  /// Whether the server can know of it.
  fileprivate var wasAttempted: Bool { mayHaveBeenSent || attempts > 0 }
}
