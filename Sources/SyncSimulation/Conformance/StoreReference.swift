import SimulationKit
import Sync

/// The required contents of a store in the simplest form: lists that are searched linearly.
struct StoreReference {
  /// A waiting mutation with its sequence number.
  struct Waiting {
    var mutation: Mutation
    let number: Int
  }

  /// The parts of a mutation that determine its lane.
  private struct LaneName: Hashable {
    let kind: String
    let operation: Mutation.Operation

    init(_ mutation: Mutation) {
      (kind, operation) = (mutation.entity.kind, mutation.operation)
    }
  }

  let domain: SyncDomain
  private(set) var waiting: [Waiting] = []
  private(set) var letters: [Mutation] = []
  private(set) var rows: [SyncEntity] = []
  private(set) var arrived: [RemoteChange] = []
  private(set) var cursor: SyncCursor?
  private(set) var fetchedKinds: Set<String>?
  private var nextNumber = 0
  /// Cached lanes: computing them each time would dominate the run time.
  private var lanes: [LaneName: Int] = [:]

  /// An empty reference.
  init(domain: SyncDomain) {
    self.domain = domain
  }

  // MARK: - Reads

  /// The waiting mutations, in order of creation.
  var mutations: [Mutation] { waiting.map(\.mutation) }

  func mutations(of key: EntityKey) -> [Mutation] { mutations.filter { $0.entity == key } }

  func mutation(_ id: String) -> Mutation? { mutations.first { $0.id == id } }

  func letter(_ id: String) -> Mutation? { letters.first { $0.id == id } }

  func row(_ key: EntityKey) -> SyncEntity? { rows.first { $0.key == key } }

  func rows(of kind: String) -> [SyncEntity] { inOrder(rows.filter { $0.key.kind == kind }) }

  /// The pending rows without a waiting mutation.
  var unqueued: [SyncEntity] {
    let queued = Set(mutations.map(\.entity))
    return inOrder(rows.filter { $0.status == .pending && !queued.contains($0.key) })
  }

  func rows(waitingFor target: EntityKey) -> [SyncEntity] {
    inOrder(
      rows.filter { row in
        guard row.linkedTo == nil, let link = domain[row.key.kind]?.link, link.kind == target.kind else {
          return false
        }
        return row.members[link.member] == .string(target.id)
      })
  }

  /// Changes that could not be applied, grouped by entity.
  var quarantine: [RemoteChange] {
    var entities: [EntityKey] = []
    for change in arrived where !entities.contains(change.entity) { entities.append(change.entity) }
    return entities.flatMap(quarantine)
  }

  func quarantine(of key: EntityKey) -> [RemoteChange] { arrived.filter { $0.entity == key } }

  /// The mutations that may be sent: the oldest of each entity, ordered by lane and number.
  var sendable: [(lane: Int, waiting: Waiting)] {
    var seen: Set<EntityKey> = []
    return waiting.filter { seen.insert($0.mutation.entity).inserted }
      .map { (lanes[LaneName($0.mutation)] ?? QueueRules.lane(of: $0.mutation, in: domain), $0) }
      .sorted { ($0.0, $0.1.number) < ($1.0, $1.1.number) }
  }

  private func inOrder(_ rows: [SyncEntity]) -> [SyncEntity] {
    rows.sorted { EntityKey.inOrder($0.key, $1.key) }
  }
}

// MARK: - Changes

extension StoreReference {
  /// Applies a call and returns the expected answer.
  mutating func perform(_ step: StoreStep) -> StoreStep.Answer {
    switch step {
    case .enqueue(let mutation): return .changes(enqueue(mutation))
    case .update(let mutation): replace(mutation)
    case .removeMutation(let id): waiting.removeAll { $0.mutation.id == id }
    case .removeAllMutations:
      let removed = mutations
      waiting = []
      return .mutations(removed)
    case .bury(let mutation): bury(mutation)
    case .removeDeadLetter(let id): letters.removeAll { $0.id == id }
    case .upsert(let row):
      rows.removeAll { $0.key == row.key }
      rows.append(row)
    case .removeEntity(let key): rows.removeAll { $0.key == key }
    case .addToQuarantine(let change): if !arrived.contains(change) { arrived.append(change) }
    case .removeQuarantine(let key): arrived.removeAll { $0.entity == key }
    case .removeQuarantineOfKind(let kind): arrived.removeAll { $0.entity.kind == kind }
    case .setCursor(let cursor): self.cursor = cursor
    case .setFetchedKinds(let kinds): fetchedKinds = kinds
    case .erase: self = StoreReference(domain: domain)
    case .save, .reopen, .rollback: break
    }
    return .nothing
  }

  private mutating func enqueue(_ mutation: Mutation) -> [QueueChange] {
    guard self.mutation(mutation.id) == nil else { return [.ignored(mutation)] }
    let changes = QueueRules.changes(adding: mutation, to: mutations(of: mutation.entity))
    for change in changes {
      switch change {
      case .added(let mutation):
        waiting.append(Waiting(mutation: mutation, number: nextNumber))
        lanes[LaneName(mutation)] = QueueRules.lane(of: mutation, in: domain)
        nextNumber += 1
      case .replaced(let mutation): replace(mutation)
      case .removed(let mutation): waiting.removeAll { $0.mutation.id == mutation.id }
      case .ignored: break
      }
    }
    return changes
  }

  private mutating func replace(_ mutation: Mutation) {
    for index in waiting.indices where waiting[index].mutation.id == mutation.id {
      waiting[index].mutation = mutation
    }
  }

  private mutating func bury(_ mutation: Mutation) {
    waiting.removeAll { $0.mutation.id == mutation.id }
    if let place = letters.firstIndex(where: { $0.id == mutation.id }) {
      letters[place] = mutation
    } else {
      letters.append(mutation)
    }
  }
}
