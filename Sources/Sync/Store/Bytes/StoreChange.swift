/// One change of what a store holds; a transaction is a list of them.
///
/// Each says what is so afterwards, not what was done: to make the same changes again changes nothing.
package enum StoreChange: Hashable, Sendable {
  /// The mutation waits, as given; the number is its place in the order of creation, see ``MutationQueue/put(_:sequence:)``.
  case queued(Mutation, sequence: Int)
  /// No mutation of that id waits.
  case unqueued(id: String)
  /// The row is as given.
  case row(SyncEntity)
  /// There is no row of that key.
  case noRow(EntityKey)
  /// The mutation does not wait and is a dead letter, as given.
  case buried(Mutation)
  /// There is no dead letter of that id.
  case noDeadLetter(id: String)
  /// The feed was applied up to there; `nil` for not at all.
  case cursor(SyncCursor?)
  /// A change could not be applied.
  case quarantined(RemoteChange)
  /// There is no change of that entity that could not be applied.
  case unquarantined(EntityKey)
  /// There is no change of any entity of that kind that could not be applied.
  case unquarantinedKind(String)
  /// These kinds were fetched whole; `nil` where no one knows.
  case fetchedKinds([String]?)
  /// There is nothing.
  case erased
  /// The changes that could not be applied are these: how older logs and snapshots say it.
  case quarantine([RemoteChange])
}

extension StoreChange {
  /// How many things of a store it writes, which is what it costs to keep it.
  var weight: Int {
    if case .quarantine(let changes) = self { changes.count + 1 } else { 1 }
  }
}
