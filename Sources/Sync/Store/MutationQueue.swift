/// The mutations that wait for the server, by the queue rules of docs/sync-engine.md.
///
/// A mutation may be sent when it is the oldest of its entity; the others wait behind it, so that none overtakes. The
/// order of creation is the order of adding: the wall clock that stamps a mutation may jump.
///
/// ```swift
/// var queue = MutationQueue(domain: .sample)
/// queue.enqueue(create)                                // [.added(create)]
/// let batch = queue.next(after: nil, limit: 50)        // of one kind and one operation
/// queue.remove(batch[0].mutation.id)                   // acknowledged
/// ```
///
/// No operation's cost grows with the number of mutations that wait for other entities, but for those that return all.
package struct MutationQueue: Sendable {
  /// The waiting mutations of one entity, oldest first.
  ///
  /// Nearly always there is one, which takes no array.
  private struct Chain {
    var head: WaitingMutation
    var others: [WaitingMutation] = []
  }

  /// The number that the next mutation gets.
  package private(set) var nextSequence = 0

  private var byID: [String: WaitingMutation] = [:]
  private var byEntity: [EntityKey: Chain] = [:]
  private var lanes: PushLanes

  /// An empty queue that knows the ranks of a domain.
  package init(domain: SyncDomain) {
    lanes = PushLanes(domain: domain)
  }

  /// How many mutations wait.
  package var count: Int { byID.count }

  /// The waiting mutation of that id.
  package subscript(_ id: String) -> Mutation? { byID[id]?.mutation }

  /// The number of a waiting mutation in the order of creation.
  package func sequence(of id: String) -> Int? { byID[id]?.sequence }

  /// Whether a mutation of that entity waits.
  package func contains(_ entity: EntityKey) -> Bool { byEntity[entity] != nil }

  /// All waiting mutations of one entity, oldest first.
  package func mutations(of entity: EntityKey) -> [Mutation] {
    guard let chain = byEntity[entity] else { return [] }
    return [chain.head.mutation] + chain.others.map(\.mutation)
  }

  /// All waiting mutations in order of creation, with their numbers.
  package var all: [(mutation: Mutation, sequence: Int)] {
    byID.values.sorted { $0.sequence < $1.sequence }.map { ($0.mutation, $0.sequence) }
  }

  /// The next mutations of one lane, in push order; see ``SyncStore/nextMutations(after:limit:)``.
  package func next(after position: QueuePosition?, limit: Int) -> [QueuedMutation] {
    lanes.next(after: position, limit: limit)
  }

  /// What adding a change does, without doing it; see ``QueueRules``.
  package func changes(adding mutation: Mutation) -> [QueueChange] {
    self[mutation.id] == nil
      ? QueueRules.changes(adding: mutation, to: mutations(of: mutation.entity)) : [.ignored(mutation)]
  }

  /// Adds a change by the rules, and says what that did.
  @discardableResult
  package mutating func enqueue(_ mutation: Mutation) -> [QueueChange] {
    let changes = changes(adding: mutation)
    for change in changes {
      switch change {
      case .added(let mutation), .replaced(let mutation): put(mutation)
      case .removed(let mutation): remove(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  /// Writes a mutation whatever the rules say: in the place of the waiting one with that id, or behind all others.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - sequence: The number that a new one had in the queue that this one repeats. It is used unless it would put the
  ///     mutation before others.
  package mutating func put(_ mutation: Mutation, sequence: Int = 0) {
    guard let old = byID[mutation.id] else {
      // What comes from a file may be any number; from here on one a nanosecond would last a century.
      let number = max(nextSequence, min(sequence, 1 << 62))
      nextSequence = number + 1
      return insert(WaitingMutation(mutation, sequence: number))
    }
    let new = WaitingMutation(mutation, sequence: old.sequence)
    guard old.mutation.entity == mutation.entity, old.mutation.operation == mutation.operation else {
      remove(mutation.id)
      return insert(new)
    }
    replace(new)
  }

  /// Puts a mutation back to the place that it had.
  mutating func restore(_ mutation: Mutation, sequence: Int) {
    remove(mutation.id)
    insert(WaitingMutation(mutation, sequence: sequence))
  }

  /// Takes a mutation out; nothing happens when it is gone.
  package mutating func remove(_ id: String) {
    guard let waiting = byID.removeValue(forKey: id) else { return }
    let entity = waiting.mutation.entity
    guard var chain = byEntity.removeValue(forKey: entity) else { return }
    if chain.head === waiting {
      lanes.remove(waiting)
      if !chain.others.isEmpty {
        chain.head = chain.others.removeFirst()
        byEntity[entity] = chain
        lanes.insert(chain.head)
      }
    } else {
      chain.others.removeAll { $0 === waiting }
      byEntity[entity] = chain
    }
  }

  private mutating func insert(_ waiting: WaitingMutation) {
    let entity = waiting.mutation.entity
    byID[waiting.mutation.id] = waiting
    guard var chain = byEntity[entity] else {
      byEntity[entity] = Chain(head: waiting)
      return lanes.insert(waiting)
    }
    if waiting.sequence < chain.head.sequence {
      lanes.remove(chain.head)
      lanes.insert(waiting)
      chain.others.insert(chain.head, at: 0)
      chain.head = waiting
    } else {
      let index = chain.others.firstIndex { $0.sequence > waiting.sequence } ?? chain.others.endIndex
      chain.others.insert(waiting, at: index)
    }
    byEntity[entity] = chain
  }

  private mutating func replace(_ waiting: WaitingMutation) {
    byID[waiting.mutation.id] = waiting
    guard var chain = byEntity[waiting.mutation.entity] else { return }
    if chain.head.sequence == waiting.sequence {
      chain.head = waiting
      lanes.replace(waiting)
    } else if let index = chain.others.firstIndex(where: { $0.sequence == waiting.sequence }) {
      chain.others[index] = waiting
    }
    byEntity[waiting.mutation.entity] = chain
  }
}
