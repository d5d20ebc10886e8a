/// The rules of the queue, for custom stores (docs/sync-engine.md, "Queue rules").
///
/// ```swift
/// for change in QueueRules.changes(adding: mutation, to: try waiting(of: mutation.entity)) {
///   // write each: added, replaced, removed
/// }
/// ```
public enum QueueRules {
  /// The effects of adding a change to its entity's pending mutations, without performing them: rules 1 and 2.
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
  ///   - mutation: The change; the store must check that its id is not pending.
  ///   - waiting: The pending mutations of the same entity, oldest first.
  public static func changes(adding mutation: Mutation, to waiting: [Mutation]) -> [QueueChange] {
    switch mutation.operation {
    case .create: [isCreateWaiting(in: waiting) ? .ignored(mutation) : .added(mutation)]
    case .update: [fold(mutation, into: waiting.last).map(QueueChange.replaced) ?? .added(mutation)]
    case .delete: changes(deleting: mutation, waiting: waiting)
    }
  }

  /// The index of a mutation's lane in push order.
  ///
  /// Creates come first, dependencies before their dependents; then updates; then deletes in reverse order. Kinds that
  /// the domain does not know come last.
  public static func lane(of mutation: Mutation, in domain: SyncDomain) -> Int {
    lane(of: mutation, rows: rows(of: domain))
  }

  /// The index of each kind in rank order.
  static func rows(of domain: SyncDomain) -> [String: Int] {
    var order: [EntityKind] = []
    var named: Set<String> = []
    for kind in domain.kinds where named.insert(kind.name).inserted { order.append(kind) }
    // Sorting is not guaranteed to be stable: for equal ranks, the order in the domain decides.
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

  /// True if pending mutations will create the entity: a delete after the create cancels it.
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

  /// The pending mutation with a newer update merged into it, or `nil` if they must stay separate.
  ///
  /// Members that the newer update does not set stay: no other mutation sends them. A payload that may have been sent
  /// must not change under its key, and an invalid one fails on its own.
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
  /// True if the server may know the mutation.
  fileprivate var wasAttempted: Bool { mayHaveBeenSent || attempts > 0 }
}
