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

  /// How far the feed was applied.
  package private(set) var cursor: SyncCursor?

  private var rows: [String: [String: SyncEntity]] = [:]
  /// The rows with status pending and no waiting mutation: the sweep must not look at all others.
  private var unqueued: Set<EntityKey> = []
  private var buried: [String: DeadLetter] = [:]
  private var lettersByEntity: [EntityKey: Set<String>] = [:]
  private var nextLetter = 0

  /// Nothing, of a domain whose ranks order the queue.
  package init(domain: SyncDomain) {
    queue = MutationQueue(domain: domain)
  }

  /// Forgets how far the feed was applied: of what is here nobody knows whether it is all.
  package mutating func forgetCursor() { cursor = nil }

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

  /// The mutations of one entity that were given up, oldest first.
  package func deadLetters(of entity: EntityKey) -> [Mutation] {
    (lettersByEntity[entity] ?? []).compactMap { buried[$0] }.sorted { $0.number < $1.number }.map(\.mutation)
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
      unbury(mutation.id)
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
      let number = unbury(mutation.id) ?? nextLetter
      buried[mutation.id] = DeadLetter(mutation: mutation, number: number)
      lettersByEntity[mutation.entity, default: []].insert(mutation.id)
      nextLetter += 1
    case .noDeadLetter(let id):
      unbury(id)
    case .cursor(let cursor):
      self.cursor = cursor
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
    if let cursor { try body(.cursor(cursor)) }
    if !quarantine.isEmpty { try body(.quarantine(quarantine)) }
  }

  private mutating func unqueue(_ id: String) {
    guard let entity = queue[id]?.entity else { return }
    queue.remove(id)
    refreshSweep(of: entity)
  }

  /// - Returns: The place that it had among the dead letters.
  @discardableResult
  private mutating func unbury(_ id: String) -> Int? {
    guard let letter = buried.removeValue(forKey: id) else { return nil }
    lettersByEntity[letter.mutation.entity]?.remove(id)
    if lettersByEntity[letter.mutation.entity]?.isEmpty == true {
      lettersByEntity[letter.mutation.entity] = nil
    }
    return letter.number
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
