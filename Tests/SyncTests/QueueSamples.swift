import Foundation
import Testing

@testable import Sync

/// Mutations for tests of queue and stores, with ids that are easy to read.
enum QueueSamples {
  /// A mutation whose id is `id`, at the second `second` of the epoch.
  static func mutation(
    _ id: String, _ operation: Mutation.Operation, _ kind: String = "event", _ entity: String = "e1",
    members: [String: SyncValue] = [:], second: Double = 0, sent: Bool = false, attempts: Int = 0
  ) -> Mutation {
    Mutation(
      id: id, idempotencyKey: "key-\(id)", entity: EntityKey(kind: kind, id: entity), operation: operation,
      payload: operation == .delete ? Data() : MemberPayload.payload(of: members) ?? Data(),
      createdAt: Date(timeIntervalSince1970: second), attempts: attempts, mayHaveBeenSent: sent)
  }

  /// A queue with these mutations waiting, whatever the rules say.
  static func queue(_ waiting: [Mutation], domain: SyncDomain = .sample) -> StoredQueue {
    var queue = StoredQueue(domain: domain)
    for mutation in waiting { queue.put(mutation) }
    return queue
  }
}

/// The queue of a store in memory, which never fails.
struct StoredQueue {
  private let store: SQLiteSyncStore?

  init(domain: SyncDomain) {
    store = InMemorySyncStoreFactory(domain: domain).makeStore() as? SQLiteSyncStore
  }

  var count: Int { answer(0) { try $0.pendingCount() } }
  var all: [Mutation] { answer([]) { try $0.mutations() } }

  subscript(_ id: String) -> Mutation? { answer(nil) { try $0.mutation(id) } }

  func mutations(of entity: EntityKey) -> [Mutation] { answer([]) { try $0.mutations(of: entity) } }

  func next(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    answer([]) { try $0.nextMutations(after: position, limit: limit) }
  }

  /// All that may be sent, in push order, asked for in pieces of `limit`.
  func drained(limit: Int = 50) -> [Mutation] {
    var (result, position): ([Mutation], QueuePosition?) = ([], nil)
    while case let batch = next(after: position, limit: limit), let last = batch.last {
      result += batch.map(\.mutation)
      position = last.position
    }
    return result
  }

  @discardableResult
  mutating func enqueue(_ mutation: Mutation) -> [QueueChange] { answer([]) { try $0.enqueue(mutation) } }

  /// Writes a mutation whatever the rules say: in the place of the waiting one with that id, or behind all others.
  mutating func put(_ mutation: Mutation) {
    answer(()) { store in
      if try store.mutation(mutation.id) != nil { return try store.update(mutation) }
      try store.add(mutation, number: store.database.nextSequence())
    }
  }

  mutating func remove(_ id: String) { answer(()) { try $0.removeMutation(id) } }

  private func answer<Value>(_ none: Value, _ body: (SQLiteSyncStore) throws -> Value) -> Value {
    do { return try store.map(body) ?? none } catch {
      Issue.record(error)
      return none
    }
  }
}
