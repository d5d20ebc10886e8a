/// The rules of the queue, for stores that keep it themselves (docs/sync-engine.md, "Queue rules").
///
/// ```swift
/// for change in QueueRules.changes(adding: mutation, to: try waiting(of: mutation.entity)) {
///   // write each: added, replaced, removed
/// }
/// ```
public enum QueueRules {
  /// The effects of adding a change on what waits for its entity, without doing it: rules 1 and 2.
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
  ///
  /// - Parameters:
  ///   - mutation: The change; that none of its id waits is the store's to check.
  ///   - waiting: The mutations of the same entity that wait, oldest first.
  public static func changes(adding mutation: Mutation, to waiting: [Mutation]) -> [QueueChange] {
    switch mutation.operation {
    case .create: [isCreateWaiting(in: waiting) ? .ignored(mutation) : .added(mutation)]
    case .update: [fold(mutation, into: waiting.last).map(QueueChange.replaced) ?? .added(mutation)]
    case .delete: changes(deleting: mutation, waiting: waiting)
    }
  }

  /// The place of a mutation's lane in push order.
  ///
  /// Creates come first, of what others depend on before what depends on it; then updates; then deletes the other way
  /// round. Kinds that the domain does not know come last.
  public static func lane(of mutation: Mutation, in domain: SyncDomain) -> Int {
    lane(of: mutation, rows: rows(of: domain))
  }

  /// The places of the kinds in order of ranks.
  static func rows(of domain: SyncDomain) -> [String: Int] {
    var order: [EntityKind] = []
    var named: Set<String> = []
    for kind in domain.kinds where named.insert(kind.name).inserted { order.append(kind) }
    // No one promises that sorting keeps the order of equals: between equal ranks the place in the domain decides.
    let sorted = order.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.element.name, $0) })
  }

  static func lane(of mutation: Mutation, rows: [String: Int]) -> Int {
    let row = rows[mutation.entity.kind]
    return switch mutation.operation {
    case .create: row ?? 3 * rows.count
    case .update: row.map { rows.count + $0 } ?? 3 * rows.count + 1
    case .delete: row.map { 3 * rows.count - 1 - $0 } ?? 3 * rows.count + 2
    }
  }

  /// True if the entity is going to exist by what waits: a create that is followed by a delete says the opposite.
  private static func isCreateWaiting(in waiting: [Mutation]) -> Bool {
    waiting.last { $0.operation != .update }?.operation == .create
  }

  private static func changes(deleting mutation: Mutation, waiting: [Mutation]) -> [QueueChange] {
    let pointless = waiting.filter { $0.operation != .delete }
    let isUnknownToServer = waiting.first.map { $0.operation == .create && !$0.wasAttempted } ?? false
    let isDeleteWaiting = pointless.count < waiting.count
    return pointless.map(QueueChange.removed)
      + [isUnknownToServer || isDeleteWaiting ? .ignored(mutation) : .added(mutation)]
  }

  /// The waiting mutation with the members of a newer update written over its own, or `nil` where they must not meet.
  ///
  /// Members the newer one does not name stay: they were set as well and no one else sends them. A payload that may
  /// have been sent must not change under its key, and one that cannot be read fails on its own.
  private static func fold(_ update: Mutation, into waiting: Mutation?) -> Mutation? {
    guard var folded = waiting, folded.operation != .delete, !folded.mayHaveBeenSent,
      folded.payloadVersion == update.payloadVersion,
      let old = MemberPayload.members(of: folded.payload),
      let new = MemberPayload.members(of: update.payload),
      let payload = MemberPayload.payload(of: old.merging(new) { $1 })
    else { return nil }
    folded.payload = payload
    folded.editedAt = max(folded.editedAt, update.editedAt)
    return folded
  }
}

extension Mutation {
  /// True if the server can know of it.
  fileprivate var wasAttempted: Bool { mayHaveBeenSent || attempts > 0 }
}
