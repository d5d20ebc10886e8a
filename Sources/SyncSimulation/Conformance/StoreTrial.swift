import Sync

/// A store next to its model.
struct StoreTrial {
  private let factory: any SyncStoreFactory
  /// The only open handle; `nil` while there is none.
  private(set) var store: (any SyncStore)?
  /// The contents expected now.
  private(set) var reference: StoreReference
  /// The contents expected after the last save.
  private var saved: StoreReference
  var samples: StoreSamples
  /// A description of the last call.
  private(set) var lastStep = "nothing was done"
  /// Positions in the push order that the store returned.
  var places: [Place] = []

  /// A position in the push order, with the lane and number known to the model.
  typealias Place = (position: QueuePosition, lane: Int, number: Int)

  init(_ store: any SyncStore, of factory: any SyncStoreFactory, domain: SyncDomain, seed: UInt64) {
    self.store = store
    self.factory = factory
    reference = StoreReference(domain: domain)
    saved = reference
    samples = StoreSamples(domain: domain, seed: seed)
  }

  /// Makes one call and compares; returns descriptions of the differences.
  mutating func takeStep() -> [String] {
    let step = nextStep()
    lastStep = "\(step)"
    do {
      switch step {
      case .save(let isSynced): try save(isSynced)
      case .reopen: return try reopen()
      case .rollback: return try rollback()
      default:
        guard let store else { return [] }
        let answer = try step.perform(on: store)
        let expected = reference.perform(step)
        if case .erase = step { places = [] }
        guard answer == expected else {
          return ["\(step.rule): " + answer.difference(from: expected)]
        }
      }
    } catch {
      return ["no call fails: it threw \(ConformanceText.of(error))"]
    }
    return compare(around: step)
  }

  // MARK: - Transactions

  private mutating func save(_ isSynced: Bool) throws {
    try store?.save()
    saved = reference
    if isSynced { try store?.pendingSync()?() }
  }

  private mutating func reopen() throws -> [String] {
    // Earlier positions belong to another handle, and unsaved mutations get other positions.
    (store, places) = (nil, [])
    store = try factory.makeStore()
    reference = saved
    return compareAll().map { "a new handle has exactly what was saved: " + $0 }
  }

  private mutating func rollback() throws -> [String] {
    guard store?.rollback() == true else { return try reopen() }
    (reference, places) = (saved, [])
    return compareAll().map { "a rollback leaves what was saved: " + $0 }
  }
}

// MARK: - The next call

extension StoreTrial {
  private mutating func nextStep() -> StoreStep {
    switch samples.place(in: 100) {
    case 0..<26: .enqueue(mutationToAdd())
    case 26..<34: .update(waitingOne().map { samples.change($0) } ?? samples.mutation())
    case 34..<44: .removeMutation(waitingOne()?.id ?? "none")
    case 44..<49: .bury(mutationToBury())
    case 49..<52: .removeDeadLetter(samples.pick(reference.letters)?.id ?? "none")
    case 52..<68: .upsert(samples.row())
    case 68..<72: .removeEntity(samples.pick(reference.rows)?.key ?? samples.key())
    case 72..<80: .addToQuarantine(changeToKeep())
    case 80..<83: .removeQuarantine(samples.pick(reference.arrived)?.entity ?? samples.key())
    case 83: .removeQuarantineOfKind(samples.kind())
    case 84..<87: .setCursor(samples.cursor())
    case 87: .setFetchedKinds(samples.kinds())
    case 88..<93: .save(samples.chance(0.5))
    case 93..<96: .reopen
    case 96..<99: .rollback
    default: samples.chance(0.4) ? .erase : .removeAllMutations
    }
  }

  private mutating func waitingOne() -> Mutation? {
    // The newest one is special: a later one must not take its position.
    if samples.chance(0.3) { return reference.mutations.last }
    return samples.chance(0.9) ? samples.pick(reference.mutations) : nil
  }

  /// A new mutation, occasionally with the id of a waiting one.
  private mutating func mutationToAdd() -> Mutation {
    guard samples.chance(0.03), let waiting = samples.pick(reference.mutations) else {
      return samples.mutation()
    }
    return samples.change(waiting)
  }

  /// A waiting mutation, occasionally one that is already buried or unknown.
  private mutating func mutationToBury() -> Mutation {
    let known = samples.chance(0.7) ? waitingOne() : samples.pick(reference.letters)
    return known.map { samples.change($0) } ?? samples.mutation()
  }

  /// A new change, a kept one, or a further one of an entity with kept changes.
  private mutating func changeToKeep() -> RemoteChange {
    let new = samples.remoteChange()
    guard samples.chance(0.5), let kept = samples.pick(reference.arrived) else { return new }
    return samples.chance(0.5)
      ? kept
      : RemoteChange(
        entity: kept.entity, operation: kept.operation,
        members: samples.chance(0.5) ? kept.members : new.members,
        version: new.version, time: new.time)
  }
}

extension StoreStep {
  /// The promise that the answer is checked against.
  fileprivate var rule: String {
    switch self {
    case .enqueue: "enqueue says what the queue rules do"
    case .removeAllMutations: "removeAllMutations returns what waited in order of creation"
    default: "\(self)"
    }
  }
}

extension StoreStep.Answer {
  /// A description of the difference from the expected answer.
  fileprivate func difference(from expected: Self) -> String {
    words == expected.words
      ? StoreDifference.words(mutations, expected.mutations) : "\(words) instead of \(expected.words)"
  }

  private var mutations: [Mutation] {
    switch self {
    case .nothing: []
    case .changes(let changes): changes.map(\.parts.mutation)
    case .mutations(let mutations): mutations
    }
  }

  private var words: String {
    switch self {
    case .nothing: "nothing"
    case .changes(let changes):
      changes.map { "\($0.parts.name) \($0.parts.mutation.id)" }.joined(separator: ", ")
    case .mutations(let mutations): mutations.map(\.id).joined(separator: ", ")
    }
  }
}

extension QueueChange {
  fileprivate var parts: (name: String, mutation: Mutation) {
    switch self {
    case .added(let mutation): ("added", mutation)
    case .replaced(let mutation): ("replaced", mutation)
    case .ignored(let mutation): ("ignored", mutation)
    case .removed(let mutation): ("removed", mutation)
    }
  }
}
