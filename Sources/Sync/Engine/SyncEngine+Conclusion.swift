import Essentials
import Resilience

// Effects of an answer on the mutations that were sent.
extension SyncEngine {
  /// A mutation with the server's verdict.
  typealias Concluded = (mutation: Mutation, verdict: PushRequest.Verdict)

  fileprivate enum Fate {
    /// The server has it, as its own row or merged into another.
    case done(Mutation, PushRequest.Verdict)
    /// One more failed attempt; it stays in the queue.
    case kept(Mutation, SyncError)
    /// The last attempt failed.
    case buried(Mutation, SyncError)
    /// It is sent again, rebased on the server's state.
    case conflicted(Mutation, RemoteEntity)
    /// It stays as it is.
    case held(Mutation, SyncError)
  }

  /// Lets the machine decide, writes all results in one transaction, and records them once stored.
  ///
  /// The transaction depends on nothing lost with a store: if the store has to be reopened in its middle, it is
  /// repeated from the start.
  func conclude(_ verdicts: [Concluded]) throws {
    let waiting = try withStore { store in try verdicts.map { try store.mutation($0.mutation.id) } }
    var fates: [Fate] = []
    var decisions: [SyncDecision] = []
    for ((sent, verdict), now) in zip(verdicts, waiting) {
      switch verdict {
      // A change cleared in the meantime is settled, but the answer may be news for changes still pending.
      case .acknowledged, .merged, .duplicate, .ownDuplicate: fates.append(.done(sent, verdict))
      case .held(let error): if let now { fates.append(.held(now, error)) }
      case .conflicted(let error, let current) where now != nil && mayTryAgain(sent):
        conflictCount += 1
        decisions.append(handle(.pushConflicted(error)))
        fates.append(.conflicted(sent, current))
      case .conflicted(let error, _), .failed(let error):
        guard let now else { continue }
        var failed = counted(now, error)
        if error.provesNotTaken { failed.mayHaveBeenSent = sent.mayHaveBeenSent }
        let decision = handle(.pushFailed(error, attempts: failed.attempts))
        fates.append(decision.actions.contains(.buryMutation) ? .buried(failed, error) : .kept(failed, error))
        decisions.append(decision)
      }
    }
    var changes = EntityChanges()
    try withStore { store in
      changes = EntityChanges()
      for fate in fates { try self.write(fate, to: store, &changes) }
      try store.save()
    }
    try refreshPending()
    let known = Set(waiting.compactMap { $0?.id })
    for fate in fates { note(fate, known) }
    tell(changes)
    for decision in decisions { _ = perform(decision) }
    count(fates.filter { known.contains($0.mutation.id) }.compactMap(\.verdict))
  }

  /// True if a conflicting change is sent again in this run; limited, so that the server cannot keep a run busy
  /// forever.
  private func mayTryAgain(_ mutation: Mutation) -> Bool {
    conflictTries[mutation.id, default: 0] += 1
    return conflictTries[mutation.id, default: 0] <= 3
  }

  private func counted(_ mutation: Mutation, _ error: SyncError) -> Mutation {
    var failed = mutation
    failed.attempts = failed.attempts.addingReportingOverflow(1).partialValue
    failed.lastError = error.keptText
    let (now, policy) = (environment.clock.wallTime, machine.configuration.attemptDelay)
    var generator = SystemRandomNumberGenerator()  // No jitter in these waits.
    let wait = policy.wait(multiplier: policy.multiplier(ofWait: failed.attempts), using: &generator)
    failed.lastAttempt = now
    failed.notBefore = now.addingTimeInterval(wait / .seconds(1))
    return failed
  }

  private func write(_ fate: Fate, to store: any SyncStore, _ changes: inout EntityChanges) throws {
    switch fate {
    case .held: break
    case .kept(let mutation, _): try store.update(mutation)
    case .buried(let mutation, _):
      try store.bury(mutation)
      try restoreDeleted(mutation, in: store)
      try setStatus(.failed, of: mutation.entity, in: store)
      changes.rows.insert(mutation.entity)
    case .conflicted(let mutation, let current):
      var local = try LocalEntity(mutation.entity, in: store)
      local.takeRefusal(of: mutation, as: current, by: judge)
      try local.write(to: store, upsert: upsertLinked)
      changes.add(local)
    case .done(let mutation, let verdict):
      var local = try LocalEntity(mutation.entity, in: store)
      let isKnown = local.waiting.contains { $0.id == mutation.id }
      guard isKnown || (verdict.answer != nil && local.waitingDelete != nil) else { return }
      if verdict.removesRow {
        local.giveWay(to: verdict.answer)
      } else {
        local.takeAnswer(verdict.answer, to: mutation, by: judge)
      }
      try local.write(to: store, upsert: upsertLinked)
      if blocking.contains(mutation.entity), pending > 1 { machine.noteHeld(until: environment.clock.now) }
      if let next = local.waiting.first, let position = pushPosition {
        // The change pending behind it may belong to a lane that this run has passed.
        let lane = QueueRules.lane(of: next, in: environment.domain)
        if lane < position.lane { machine.noteHeld(until: environment.clock.now) }
      }
      local.settled.append(mutation)
      changes.add(local)
    }
  }

  private func note(_ fate: Fate, _ known: Set<String>) {
    guard known.contains(fate.mutation.id) else { return }
    runFailure = fate.failure ?? runFailure
    switch fate {
    case .kept(let mutation, let error):
      if let wait = mutation.remainingDelay(at: environment.clock.wallTime) {
        machine.noteHeld(until: environment.clock.now + wait)
      }
      record(mutation, .queued)
      notify(.failed(mutation, error, isDead: false))
    case .buried(let mutation, let error):
      record(mutation, .dead)
      recordPending()
      notify(.failed(mutation, error, isDead: true))
    case .conflicted(let mutation, _): record(mutation, .queued)
    // Handled by the push phase, not per change.
    case .held: break
    case .done(let mutation, _): record(mutation, .acknowledged)
    }
  }

  /// Schedules a run of the engine's own for changes that the server postponed.
  func holdBack(_ error: SyncError) {
    draw { machine.noteHeld(by: error, at: environment.clock.now, using: &$0) }
  }

  /// Reports the number of changes that the server now has to the machine.
  private func count(_ verdicts: [PushRequest.Verdict]) {
    guard !verdicts.isEmpty else { return }
    recordPending()
    // An answer after the end of its run belongs to no run.
    guard machine.run?.phase == .pushing else { return }
    let duplicates = verdicts.count { $0.isDuplicate }
    if verdicts.count > duplicates {
      _ = decide(.pushAcknowledged(count: verdicts.count - duplicates))
    }
    for _ in 0..<duplicates { _ = decide(.pushDuplicated) }
  }
}

extension SyncEngine.Fate {
  fileprivate var mutation: Mutation {
    switch self {
    case .done(let mutation, _), .kept(let mutation, _), .buried(let mutation, _),
      .conflicted(let mutation, _),
      .held(let mutation, _):
      mutation
    }
  }

  fileprivate var failure: SyncError? {
    switch self {
    case .kept(_, let error), .buried(_, let error), .held(_, let error): error
    case .done, .conflicted: nil
    }
  }

  fileprivate var verdict: PushRequest.Verdict? {
    if case .done(_, let verdict) = self { verdict } else { nil }
  }
}

/// Effects of a transaction on entities, reported once it is stored.
struct EntityChanges {
  /// Rows written or removed.
  var rows: Set<EntityKey> = []
  var conflicts: [ResolvedConflict] = []
  /// Mutations removed by conflicts.
  var removed: [Mutation] = []
  /// Pending mutations that were rewritten.
  var rewritten: [Mutation] = []
  /// Mutations that the feed has confirmed.
  var settled: [Mutation] = []

  /// Adds the changes of an entity.
  mutating func add(_ local: LocalEntity) {
    rows.insert(local.key)
    conflicts += local.conflicts
    let settled = Set(local.settled.map(\.id))
    removed += local.removed.filter { !settled.contains($0.id) } + local.forgotten
    rewritten += local.rewritten
    self.settled += local.settled
  }
}
