/// Everything that a store holds, as a value.
package struct SyncData: Sendable {
  /// A mutation that was given up, with its place among the others.
  private struct DeadLetter {
    let mutation: Mutation
    let number: Int
  }

  /// The waiting mutations.
  package private(set) var queue: MutationQueue
  /// The changes that could not be applied, oldest first.
  package private(set) var quarantine: [RemoteChange] = []

  private var rows: [String: [String: SyncEntity]] = [:]
  /// The rows with status pending and no waiting mutation: the sweep must not look at all others.
  private var unqueued: Set<EntityKey> = []
  private var buried: [String: DeadLetter] = [:]
  private var nextLetter = 0

  /// Nothing, of a domain whose ranks order the queue.
  package init(domain: SyncDomain) {
    queue = MutationQueue(domain: domain)
  }

  /// How many mutations, rows, dead letters and quarantined changes there are.
  package var count: Int {
    queue.count + rows.values.reduce(0) { $0 + $1.count } + buried.count + quarantine.count
  }

  /// The row of that key.
  package subscript(_ key: EntityKey) -> SyncEntity? { rows[key.kind]?[key.id] }

  /// All rows of a kind, in order of ids.
  package func rows(of kind: String) -> [SyncEntity] {
    (rows[kind] ?? [:]).values.sorted { $0.key.id < $1.key.id }
  }

  /// The rows with status pending and no waiting mutation, in order of ids.
  package var unqueuedPendingRows: [SyncEntity] {
    unqueued.sorted { ($0.id, $0.kind) < ($1.id, $1.kind) }.compactMap { self[$0] }
  }

  /// The mutations that were given up, oldest first.
  package var deadLetters: [Mutation] {
    buried.values.sorted { $0.number < $1.number }.map(\.mutation)
  }

  /// Whether there is a dead letter of that id.
  package func hasDeadLetter(_ id: String) -> Bool { buried[id] != nil }

  /// Makes a change.
  package mutating func apply(_ change: StoreChange) {
    switch change {
    case .queued(let mutation, let sequence):
      // One that has another entity under the same id leaves its old one.
      let before = queue[mutation.id]?.entity
      queue.put(mutation, sequence: sequence)
      // It waits or it is given up, never both.
      buried[mutation.id] = nil
      if let before, before != mutation.entity { refreshSweep(of: before) }
      refreshSweep(of: mutation.entity)
    case .unqueued(let id):
      unqueue(id)
    case .row(let row):
      rows[row.key.kind, default: [:]][row.key.id] = row
      refreshSweep(of: row.key)
    case .noRow(let key):
      removeRow(key)
    case .buried(let mutation):
      unqueue(mutation.id)
      buried[mutation.id] = DeadLetter(mutation: mutation, number: buried[mutation.id]?.number ?? nextLetter)
      nextLetter += 1
    case .noDeadLetter(let id):
      buried[id] = nil
    case .quarantine(let changes):
      quarantine = changes
    }
  }

  /// The changes that make this of nothing, in an order that repeats the queue's.
  package func forEachChange<Failure: Error>(_ body: (StoreChange) throws(Failure) -> Void) throws(Failure) {
    for (mutation, sequence) in queue.all { try body(.queued(mutation, sequence: sequence)) }
    for (_, ofKind) in rows {
      for (_, row) in ofKind { try body(.row(row)) }
    }
    for mutation in deadLetters { try body(.buried(mutation)) }
    if !quarantine.isEmpty { try body(.quarantine(quarantine)) }
  }

  private mutating func unqueue(_ id: String) {
    guard let entity = queue[id]?.entity else { return }
    queue.remove(id)
    refreshSweep(of: entity)
  }

  private mutating func removeRow(_ key: EntityKey) {
    rows[key.kind]?[key.id] = nil
    if rows[key.kind]?.isEmpty == true { rows[key.kind] = nil }
    unqueued.remove(key)
  }

  private mutating func refreshSweep(of key: EntityKey) {
    if self[key]?.status == .pending, !queue.contains(key) {
      unqueued.insert(key)
    } else {
      unqueued.remove(key)
    }
  }
}
