import Foundation
import Sync

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
  static func queue(_ waiting: [Mutation], domain: SyncDomain = .sample) -> MutationQueue {
    var queue = MutationQueue(domain: domain)
    for mutation in waiting { queue.put(mutation) }
    return queue
  }
}

extension MutationQueue {
  /// All that may be sent, in push order, asked for in pieces of `limit`.
  func drained(limit: Int = 50) -> [Mutation] {
    var (result, position): ([Mutation], QueuePosition?) = ([], nil)
    while case let batch = next(after: position, limit: limit), let last = batch.last {
      result += batch.map(\.mutation)
      position = last.position
    }
    return result
  }
}
