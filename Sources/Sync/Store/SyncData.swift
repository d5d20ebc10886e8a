/// Everything that a store holds, as a value.
package struct SyncData: Sendable {
  /// A mutation that was abandoned, with its place among the others.
  private struct DeadLetter {
    let mutation: Mutation
    let number: Int
  }

  /// The waiting mutations.
  package private(set) var queue: MutationQueue
  /// The changes that could not be applied.
  private(set) var quarantined = StoredQuarantine()
  /// The names of the kinds that were fetched whole; `nil` where no one knows.
  package private(set) var fetchedKinds: [String]?

  /// How far the feed was applied.
  package private(set) var cursor: SyncCursor?

  private let domain: SyncDomain
  /// The rows by kind.
  private var rows: [String: StoredRows] = [:]
  /// The rows with status pending and no waiting mutation: the sweep must not look at all others.
  private var unqueued: Set<EntityKey> = []
  /// By their ids, as keys of no kind: those are told apart by their bytes.
  private var buried: [EntityKey: DeadLetter] = [:]
  private var lettersByEntity: [EntityKey: Set<EntityKey>] = [:]
  private var nextLetter = 0

  /// Nothing, of a domain whose ranks order the queue.
  package init(domain: SyncDomain) {
    queue = MutationQueue(domain: domain)
    self.domain = domain
  }

  /// Takes what was read for no more than a part: the feed is read anew, and of each mutation it may be that the mark of
  /// having been sent is what is lost.
  package mutating func distrust() {
    cursor = nil
    queue.markSent()
  }

  /// How many mutations, rows, dead letters and quarantined changes there are.
  package var count: Int {
    queue.count + rows.values.reduce(0) { $0 + $1.count } + buried.count + quarantined.count
  }

  /// The row of that key.
  package subscript(_ key: EntityKey) -> SyncEntity? { rows[key.kind]?[key] }

  /// All rows of a kind, in order of ids.
  package func rows(of kind: String) -> [SyncEntity] {
    rows[kind].map { $0.all.sorted { EntityKey.idsInOrder($0.key, $1.key) } } ?? []
  }

  /// The rows that name an entity they are not linked to yet, in order of ids.
  package func rows(waitingFor target: EntityKey) -> [SyncEntity] {
    rows.values.flatMap { $0.rows(waitingFor: target) }.sorted { EntityKey.idsInOrder($0.key, $1.key) }
  }

  /// The rows with status pending and no waiting mutation, in order of ids.
  package var unqueuedPendingRows: [SyncEntity] {
    unqueued.sorted(by: EntityKey.idsInOrder).compactMap { self[$0] }
  }

  /// The mutations that were abandoned, oldest first.
  package var deadLetters: [Mutation] {
    buried.values.sorted { $0.number < $1.number }.map(\.mutation)
  }

  /// The mutations of one entity that were abandoned, oldest first.
  package func deadLetters(of entity: EntityKey) -> [Mutation] {
    (lettersByEntity[entity] ?? []).compactMap { buried[$0] }.sorted { $0.number < $1.number }.map(\.mutation)
  }

  /// The dead letter of that id.
  package func deadLetter(_ id: String) -> Mutation? { buried[Self.key(ofLetter: id)]?.mutation }

  private static func key(ofLetter id: String) -> EntityKey { EntityKey(kind: "", id: id) }

  /// Makes a change.
  package mutating func apply(_ change: StoreChange) {
    switch change {
    case .queued(let mutation, let sequence):
      // One that has another entity under the same id leaves its old one.
      let before = queue[mutation.id]?.entity
      queue.put(mutation, sequence: sequence)
      // It waits or it is abandoned, never both.
      unbury(mutation.id)
      if let before, before != mutation.entity { refreshSweep(of: before) }
      refreshSweep(of: mutation.entity)
    case .unqueued(let id):
      unqueue(id)
    case .row(let row):
      setRow(row)
    case .noRow(let key):
      removeRow(key)
    case .buried(let mutation):
      unqueue(mutation.id)
      let number = unbury(mutation.id) ?? nextLetter
      keep(DeadLetter(mutation: mutation, number: number))
      nextLetter += 1
    case .noDeadLetter(let id):
      unbury(id)
    case .cursor(let cursor):
      self.cursor = cursor
    case .quarantined(let change): quarantined.put(change)
    case .unquarantined(let entity): quarantined.take(entity)
    case .unquarantinedKind(let kind):
      for entity in quarantined.entities(of: kind) { quarantined.take(entity) }
    case .fetchedKinds(let kinds): fetchedKinds = kinds
    case .erased:
      let next = queue.nextSequence
      self = SyncData(domain: domain)
      queue.skip(to: next)
    case .quarantine(let changes):
      quarantined = StoredQuarantine()
      for change in changes { quarantined.put(change) }
    }
  }

  /// Makes a change again that another handle's view had taken back: a mutation keeps the place that it was given.
  mutating func repeatChange(_ change: StoreChange) {
    guard case .queued(let mutation, let sequence) = change, queue.sequence(of: mutation.id) == nil else {
      return apply(change)
    }
    queue.restore(mutation, sequence: sequence)
    unbury(mutation.id)
    refreshSweep(of: mutation.entity)
  }

  /// The changes that make this of nothing, in an order that repeats the queue's.
  package func forEachChange<Failure: Error>(_ body: (StoreChange) throws(Failure) -> Void) throws(Failure) {
    for (mutation, sequence) in queue.all { try body(.queued(mutation, sequence: sequence)) }
    for (_, ofKind) in rows {
      for row in ofKind.all { try body(.row(row)) }
    }
    for mutation in deadLetters { try body(.buried(mutation)) }
    if let cursor { try body(.cursor(cursor)) }
    if fetchedKinds != nil { try body(.fetchedKinds(fetchedKinds)) }
    for change in quarantined.all { try body(.quarantined(change)) }
  }

  private mutating func unqueue(_ id: String) {
    guard let entity = queue[id]?.entity else { return }
    queue.remove(id)
    refreshSweep(of: entity)
  }

  private mutating func keep(_ letter: DeadLetter) {
    let key = Self.key(ofLetter: letter.mutation.id)
    buried[key] = letter
    lettersByEntity[letter.mutation.entity, default: []].insert(key)
  }

  /// - Returns: The place that it had among the dead letters.
  @discardableResult
  private mutating func unbury(_ id: String) -> Int? {
    let key = Self.key(ofLetter: id)
    guard let letter = buried.removeValue(forKey: key) else { return nil }
    lettersByEntity[letter.mutation.entity]?.remove(key)
    if lettersByEntity[letter.mutation.entity]?.isEmpty == true {
      lettersByEntity[letter.mutation.entity] = nil
    }
    return letter.number
  }

  private mutating func setRow(_ row: SyncEntity) {
    rows[row.key.kind, default: StoredRows(link: domain[row.key.kind]?.link)].set(row)
    refreshSweep(of: row.key)
  }

  private mutating func removeRow(_ key: EntityKey) {
    rows[key.kind]?.remove(key)
    if rows[key.kind]?.count == 0 { rows[key.kind] = nil }
    unqueued.remove(key)
  }

  private mutating func refreshSweep(of key: EntityKey) {
    if rows[key.kind]?.status(of: key) == .pending, !queue.contains(key) {
      unqueued.insert(key)
    } else {
      unqueued.remove(key)
    }
  }
}

// Taking back what was not saved.
extension SyncData {
  /// Takes a change back.
  typealias Undo = @Sendable (inout SyncData) -> Void

  /// The operation that takes back a change about to be made.
  func undo(of change: StoreChange) -> Undo {
    switch change {
    case .queued(let mutation, _), .buried(let mutation): undo(ofMutation: mutation.id)
    case .unqueued(let id), .noDeadLetter(let id): undo(ofMutation: id)
    case .row(let row): undo(ofRow: row.key)
    case .noRow(let key): undo(ofRow: key)
    case .cursor: { [cursor] in $0.cursor = cursor }
    case .fetchedKinds: { [fetchedKinds] in $0.fetchedKinds = fetchedKinds }
    case .quarantined(let change) where quarantined.contains(change): { _ in }
    // Undone in the other order, it is the last of its entity again.
    case .quarantined(let change): { $0.quarantined.takeBack(change) }
    case .unquarantined(let entity): undo(ofQuarantine: entity)
    case .erased:
      { [self] data in
        let next = data.queue.nextSequence
        data = self
        data.queue.skip(to: next)
      }
    case .unquarantinedKind, .quarantine: { [quarantined] in $0.quarantined = quarantined }
    }
  }

  private func undo(ofMutation id: String) -> Undo {
    let waiting = queue[id].flatMap { mutation in queue.sequence(of: id).map { (mutation, $0) } }
    let letter = buried[Self.key(ofLetter: id)]
    return { data in
      data.unqueue(id)
      data.unbury(id)
      if let (mutation, sequence) = waiting {
        data.queue.restore(mutation, sequence: sequence)
        data.refreshSweep(of: mutation.entity)
      }
      if let letter { data.keep(letter) }
    }
  }

  private func undo(ofRow key: EntityKey) -> Undo {
    let row = self[key]
    return { data in if let row { data.setRow(row) } else { data.removeRow(key) } }
  }

  private func undo(ofQuarantine entity: EntityKey) -> Undo {
    let waiting = quarantined.waiting(for: entity)
    return { $0.quarantined.restore(waiting, of: entity) }
  }
}
