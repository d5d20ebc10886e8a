import Foundation
import Sync

/// A store's faults.
enum StoreDefect: String, CaseIterable, Sendable {
  // The queue
  case mixesLanes, passesBlockedOn, ignoresLimit, ignoresPosition, numbersByPlace, reversesLanes,
    reusesNumbers
  case updateAdds, updateMovesToTheEnd, forgetsBatchLimit, roundsDates, answersAlwaysAdded,
    removesAllUnordered
  // The dead letters
  case lettersNewestFirst, buriesAndKeeps, lettersOfAll
  // The rows
  case forgetsBasis, forgetsMembersOfBasis, foldsIDs, sortsAsText, roundsIntegers, sweepsQueued,
    waitsThoughLinked
  case refusesEmptyIDs
  // The quarantine
  case quarantinesTwice, mixesQuarantine, keepsQuarantineOfKind
  // The rest
  case cursorAsNumber, knowsNoUnknownKinds, erasesAllButCursor
  // Transactions
  case neverSaves, savesAtOnce, claimsRollback, failsToSync

  /// The check's complaint.
  var sign: String {
    switch self {
    case .mixesLanes, .passesBlockedOn, .ignoresPosition, .numbersByPlace, .reversesLanes, .reusesNumbers:
      "in push order"
    case .ignoresLimit: "nextMutations returns at most limit"
    case .updateAdds: "pendingCount says how many wait: 1 instead of 0"
    case .updateMovesToTheEnd: "order"
    case .forgetsBatchLimit: "batchLimit is nil instead of"
    case .roundsDates: "notBefore is"
    case .answersAlwaysAdded: "enqueue says what the queue rules do: added"
    case .removesAllUnordered: "removeAllMutations returns what waited in order of creation"
    case .lettersNewestFirst: "deadLetters() are told oldest first"
    case .buriesAndKeeps: "mutations() are all that wait"
    case .lettersOfAll: "deadLetters(of:) are those of one entity"
    case .forgetsBasis: "basis is version is nil instead of"
    case .forgetsMembersOfBasis: "basis is members is nil instead of"
    case .foldsIDs: "u{00E9}"
    case .sortsAsText: "entities(of:) are the rows of a kind in order of ids"
    case .roundsIntegers: "members is"
    case .sweepsQueued: "unqueuedPendingEntities are"
    case .waitsThoughLinked: "entities(waitingFor:) are"
    case .refusesEmptyIDs: "no call fails: it threw the local store failed: no id"
    case .quarantinesTwice, .mixesQuarantine, .keepsQuarantineOfKind: "quarantine() has each change once"
    case .cursorAsNumber, .erasesAllButCursor: "cursor() is the last one that was set"
    case .knowsNoUnknownKinds: "fetchedKinds() are the last ones that were set"
    case .neverSaves, .savesAtOnce, .claimsRollback: "what was saved"
    case .failsToSync: "no disk"
    }
  }
}

/// Makes stores with one defect.
struct BrokenStoreFactory: SyncStoreFactory {
  let base: any SyncStoreFactory
  let defect: StoreDefect

  func makeStore() throws -> any SyncStore {
    let store = try base.makeStore()
    return switch defect {
    case .mixesLanes, .passesBlockedOn, .ignoresLimit, .ignoresPosition, .numbersByPlace, .reversesLanes,
      .reusesNumbers:
      StoreWithBrokenOrder(store, defect)
    case .neverSaves, .savesAtOnce, .claimsRollback, .failsToSync:
      StoreWithBrokenTransactions(store, defect)
    default: BrokenStore(store, defect)
    }
  }
}

/// A store that keeps or tells something wrongly.
private final class BrokenStore: ForwardingStore {
  private let defect: StoreDefect
  private var doubled: [RemoteChange] = []

  init(_ base: any SyncStore, _ defect: StoreDefect) {
    self.defect = defect
    super.init(base)
  }

  private func altered(_ mutation: Mutation) -> Mutation {
    var altered = mutation
    if defect == .forgetsBatchLimit { altered.batchLimit = nil }
    if defect == .roundsDates, let time = altered.notBefore?.timeIntervalSinceReferenceDate {
      altered.notBefore = Date(timeIntervalSinceReferenceDate: time.rounded())
    }
    return altered
  }

  override func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    let changes = try super.enqueue(altered(mutation))
    return defect == .answersAlwaysAdded ? [.added(mutation)] : changes
  }

  override func update(_ mutation: Mutation) throws {
    switch defect {
    case .updateAdds where try base.mutation(mutation.id) == nil: _ = try base.enqueue(mutation)
    case .updateMovesToTheEnd:
      guard try base.mutation(mutation.id) != nil else { return }
      try base.removeMutation(mutation.id)
      _ = try base.enqueue(mutation)
    default: try super.update(altered(mutation))
    }
  }

  override func removeAllMutations() throws -> [Mutation] {
    let all = try super.removeAllMutations()
    return defect == .removesAllUnordered ? all.sorted { $0.id > $1.id } : all
  }

  override func bury(_ mutation: Mutation) throws {
    try super.bury(mutation)
    if defect == .buriesAndKeeps { _ = try base.enqueue(mutation) }
  }

  override func deadLetters() throws -> [Mutation] {
    defect == .lettersNewestFirst ? try super.deadLetters().reversed() : try super.deadLetters()
  }

  override func deadLetters(of entity: EntityKey) throws -> [Mutation] {
    defect == .lettersOfAll ? try base.deadLetters() : try super.deadLetters(of: entity)
  }

  private func altered(_ key: EntityKey) -> EntityKey {
    defect == .foldsIDs ? EntityKey(kind: key.kind, id: key.id.precomposedStringWithCanonicalMapping) : key
  }

  override func entity(_ key: EntityKey) throws -> SyncEntity? { try super.entity(altered(key)) }

  override func upsert(_ entity: SyncEntity) throws {
    if defect == .refusesEmptyIDs, entity.key.id.isEmpty { throw SyncError(.store, detail: "no id") }
    var row = SyncEntity(
      key: altered(entity.key), members: entity.members, status: entity.status, linkedTo: entity.linkedTo,
      basis: entity.basis)
    if defect == .forgetsBasis { row.basis = ServerBasis() }
    if defect == .forgetsMembersOfBasis { row.basis.members = nil }
    if defect == .roundsIntegers {
      row.members = row.members.mapValues { value in
        guard case .int(let number) = value else { return value }
        return .int(Int64(exactly: Double(number)) ?? 0)
      }
    }
    try super.upsert(row)
  }

  override func entities(of kind: String) throws -> [SyncEntity] {
    let rows = try super.entities(of: kind)
    return defect == .sortsAsText
      ? rows.sorted { $0.key.id.utf16.lexicographicallyPrecedes($1.key.id.utf16) } : rows
  }

  override func unqueuedPendingEntities() throws -> [SyncEntity] {
    guard defect == .sweepsQueued else { return try super.unqueuedPendingEntities() }
    return try SyncDomain.sample.kinds.flatMap { try base.entities(of: $0.name) }.filter {
      $0.status == .pending
    }
  }

  override func entities(waitingFor target: EntityKey) throws -> [SyncEntity] {
    let waiting = try super.entities(waitingFor: target)
    guard defect == .waitsThoughLinked else { return waiting }
    var linked: [SyncEntity] = []
    for kind in SyncDomain.sample.kinds {
      guard let link = kind.link, link.kind == target.kind else { continue }
      let all: [SyncEntity] = try base.entities(of: kind.name)
      linked += all.filter { $0.members[link.member] == .string(target.id) }
    }
    return linked.sorted { (left: SyncEntity, right: SyncEntity) -> Bool in
      if left.key.id == right.key.id { return left.key.kind < right.key.kind }
      return left.key.id.utf8.lexicographicallyPrecedes(right.key.id.utf8)
    }
  }

  override func quarantine() throws -> [RemoteChange] {
    let changes = try super.quarantine()
    switch defect {
    case .quarantinesTwice: return changes + doubled.filter(changes.contains)
    case .mixesQuarantine: return changes.sorted { $0.entity.id < $1.entity.id }
    default: return changes
    }
  }

  override func addToQuarantine(_ change: RemoteChange) throws {
    if try base.quarantine().contains(change) { doubled.append(change) }
    try super.addToQuarantine(change)
  }

  override func removeQuarantine(of kind: String) throws {
    if defect != .keepsQuarantineOfKind { try super.removeQuarantine(of: kind) }
  }

  override func setCursor(_ cursor: SyncCursor?) throws {
    try super.setCursor(defect == .cursorAsNumber ? cursor.map { SyncCursor($0.number) } : cursor)
  }

  override func fetchedKinds() throws -> Set<String>? {
    defect == .knowsNoUnknownKinds ? try super.fetchedKinds() ?? [] : try super.fetchedKinds()
  }

  override func erase() throws {
    let cursor = try base.cursor()
    try super.erase()
    if defect == .erasesAllButCursor { try base.setCursor(cursor) }
  }
}

/// A store whose push order is wrong.
private final class StoreWithBrokenOrder: ForwardingStore {
  private let defect: StoreDefect
  private var numbers: [String: Int] = [:]

  init(_ base: any SyncStore, _ defect: StoreDefect) {
    self.defect = defect
    super.init(base)
  }

  override func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    var all = try drained()
    switch defect {
    case .ignoresLimit: return try super.nextMutations(after: position, limit: .max)
    case .ignoresPosition: return try super.nextMutations(after: nil, limit: limit)
    case .mixesLanes: return Array(all.filter { position?.isBefore($0.position) ?? true }.prefix(limit))
    case .numbersByPlace:
      let ids = try base.mutations().map(\.id)
      all = all.map { $0.numbered(ids.firstIndex(of: $0.mutation.id) ?? 0) }
    case .reusesNumbers: all = try renumbered(all)
    case .reversesLanes: all.reverse()
    default:
      let blocked = try base.mutations().enumerated().map {
        QueuedMutation(
          mutation: $1, position: QueuePosition(lane: QueueRules.lane(of: $1, in: .sample), sequence: $0))
      }
      all = blocked.sorted { $0.position.isBefore($1.position) }
    }
    let rest = all.filter { position?.isBefore($0.position) ?? true }
    return Array(rest.prefix { $0.position.lane == rest.first?.position.lane }.prefix(limit))
  }

  /// Gives each mutation the number behind the highest that still waits.
  private func renumbered(_ all: [QueuedMutation]) throws -> [QueuedMutation] {
    let waiting = try base.mutations().map(\.id)
    numbers = numbers.filter { waiting.contains($0.key) }
    for id in waiting where numbers[id] == nil { numbers[id] = (numbers.values.max() ?? 0) + 1 }
    return all.map { $0.numbered(numbers[$0.mutation.id] ?? 0) }
  }

  override func rollback() -> Bool {
    numbers = [:]
    return super.rollback()
  }

  private func drained() throws -> [QueuedMutation] {
    var all: [QueuedMutation] = []
    while case let next = try base.nextMutations(after: all.last?.position, limit: 50), !next.isEmpty {
      all += next
    }
    return all
  }
}

extension QueuePosition {
  fileprivate func isBefore(_ other: QueuePosition) -> Bool {
    (lane, sequence) < (other.lane, other.sequence)
  }
}

extension QueuedMutation {
  fileprivate func numbered(_ number: Int) -> QueuedMutation {
    QueuedMutation(mutation: mutation, position: QueuePosition(lane: position.lane, sequence: number))
  }
}

/// A store whose transactions are none.
private final class StoreWithBrokenTransactions: ForwardingStore {
  private let defect: StoreDefect

  init(_ base: any SyncStore, _ defect: StoreDefect) {
    self.defect = defect
    super.init(base)
  }

  override func upsert(_ entity: SyncEntity) throws {
    try super.upsert(entity)
    if defect == .savesAtOnce { try base.save() }
  }

  override func save() throws { if defect != .neverSaves { try super.save() } }

  override func pendingSync() -> (@Sendable () throws -> Void)? {
    guard defect == .failsToSync else { return super.pendingSync() }
    return { throw SyncError(.store, detail: "no disk") }
  }

  override func rollback() -> Bool { defect == .claimsRollback ? true : super.rollback() }
}
